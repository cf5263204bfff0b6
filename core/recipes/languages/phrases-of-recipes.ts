/**
 * What recipes say, with what it is in German, French and Spanish. `{name}` stands for a value; where it is a word of
 * the recipes (a colour, "light", "top"), it is translated, too.
 */
export const PHRASES_OF_RECIPES: Readonly<Record<string, readonly [de: string, fr: string, es: string]>> = {
  // Looks
  'The desktop is already {theme}.': [
    'Der Desktop ist schon {theme}.',
    'Le bureau est déjà {theme}.',
    'El escritorio ya está {theme}.',
  ],
  'Made the desktop {theme}.': [
    'Der Desktop ist jetzt {theme}.',
    'Le bureau est maintenant {theme}.',
    'El escritorio está ahora {theme}.',
  ],
  'The accent is already the original one.': [
    'Der Akzent ist schon der ursprüngliche.',
    "L'accent est déjà celui d'origine.",
    'El acento ya es el original.',
  ],
  'Gave the desktop its original accent back.': [
    'Der Desktop hat wieder seinen ursprünglichen Akzent.',
    "Le bureau a retrouvé son accent d'origine.",
    'El escritorio tiene otra vez su acento original.',
  ],
  'The accent is already {colour}.': [
    'Der Akzent ist schon {colour}.',
    "L'accent est déjà {colour}.",
    'El acento ya es {colour}.',
  ],
  'Made the accent {colour}.': [
    'Der Akzent ist jetzt {colour}.',
    "L'accent est maintenant {colour}.",
    'El acento es ahora {colour}.',
  ],
  'The wallpaper is already {name}.': [
    'Das Hintergrundbild ist schon so: {name}.',
    "Le fond d'écran est déjà celui-ci : {name}.",
    'El fondo ya es ese: {name}.',
  ],
  'Made the wallpaper {name}.': [
    'Neues Hintergrundbild: {name}.',
    "Nouveau fond d'écran : {name}.",
    'Nuevo fondo de pantalla: {name}.',
  ],
  'Made the text bigger: {size} pixels.': [
    'Der Text ist jetzt größer: {size} Pixel.',
    'Le texte est plus grand : {size} pixels.',
    'El texto es más grande: {size} píxeles.',
  ],
  'Made the text smaller: {size} pixels.': [
    'Der Text ist jetzt kleiner: {size} Pixel.',
    'Le texte est plus petit : {size} pixels.',
    'El texto es más pequeño: {size} píxeles.',
  ],
  'The text is already as big as it gets: {size} pixels.': [
    'Größer geht der Text nicht: {size} Pixel.',
    'Le texte ne peut pas être plus grand : {size} pixels.',
    'El texto no puede ser más grande: {size} píxeles.',
  ],
  'The text is already as small as it gets: {size} pixels.': [
    'Kleiner geht der Text nicht: {size} Pixel.',
    'Le texte ne peut pas être plus petit : {size} pixels.',
    'El texto no puede ser más pequeño: {size} píxeles.',
  ],
  'The text is already {size} pixels.': [
    'Der Text hat schon {size} Pixel.',
    'Le texte fait déjà {size} pixels.',
    'El texto ya tiene {size} píxeles.',
  ],
  'The taskbar is already at the {place}.': [
    'Die Taskleiste ist schon {place}.',
    'La barre des tâches est déjà en {place}.',
    'La barra de tareas ya está {place}.',
  ],
  'Moved the taskbar to the {place}.': [
    'Die Taskleiste ist jetzt {place}.',
    'La barre des tâches est maintenant en {place}.',
    'La barra de tareas está ahora {place}.',
  ],

  // Widgets
  'Added a {kind} to the taskbar.': [
    'In der Taskleiste ist jetzt: {kind}.',
    'Ajouté à la barre des tâches : {kind}.',
    'Añadido a la barra de tareas: {kind}.',
  ],
  'The clock is now a {kind}.': [
    'In der Taskleiste ist jetzt: {kind}.',
    'La barre des tâches a maintenant : {kind}.',
    'En la barra de tareas hay ahora: {kind}.',
  ],
  'Added the date to the taskbar.': [
    'Das Datum steht jetzt in der Taskleiste.',
    'La date est maintenant dans la barre des tâches.',
    'La fecha está ahora en la barra de tareas.',
  ],
  'The date is there.': ['Das Datum ist da.', 'La date est là.', 'La fecha está ahí.'],
  'Added a greeting to the taskbar.': [
    'Die Taskleiste begrüßt dich jetzt.',
    'La barre des tâches te salue maintenant.',
    'La barra de tareas te saluda ahora.',
  ],
  'The greeting uses the name now.': [
    'Die Begrüßung nennt jetzt den Namen.',
    'La salutation utilise maintenant le nom.',
    'El saludo usa ahora el nombre.',
  ],
  'Added a countdown to {day} to the taskbar.': [
    'In der Taskleiste ist jetzt ein Countdown bis zum {day}.',
    "La barre des tâches a un compte à rebours jusqu'au {day}.",
    'En la barra de tareas hay una cuenta atrás hasta el {day}.',
  ],
  'The countdown now goes to {day}.': [
    'Der Countdown geht jetzt bis zum {day}.',
    "Le compte à rebours va maintenant jusqu'au {day}.",
    'La cuenta atrás va ahora hasta el {day}.',
  ],
  '{title} is already there.': ['Das ist schon da: {title}.', 'C’est déjà là : {title}.', 'Eso ya está: {title}.'],
  'There is already a {kind}, and it has been changed since it was added. Remove it first if you want a fresh one.': [
    'Das gibt es schon ({kind}), und es wurde seither verändert. Entferne es erst, wenn du es neu haben willst.',
    "Cela existe déjà ({kind}) et a été modifié depuis. Enlève-le d'abord si tu en veux un nouveau.",
    'Eso ya existe ({kind}) y se ha cambiado desde entonces. Quítalo primero si quieres uno nuevo.',
  ],

  // Apps and documents
  'Made “{title}” for you.': [
    '„{title}“ ist für dich gemacht.',
    '« {title} » est prêt pour toi.',
    '«{title}» está hecho para ti.',
  ],
  'It is in the taskbar.': [
    'Du findest es in der Taskleiste.',
    'Tu le trouves dans la barre des tâches.',
    'Lo encuentras en la barra de tareas.',
  ],
  'You already have “{title}” in the taskbar.': [
    '„{title}“ hast du schon in der Taskleiste.',
    'Tu as déjà « {title} » dans la barre des tâches.',
    'Ya tienes «{title}» en la barra de tareas.',
  ],
  'Removed {things}.': ['Entfernt: {things}.', 'Enlevé : {things}.', 'Quitado: {things}.'],
  'What you kept in it stays in your files.': [
    'Was du darin hattest, bleibt in deinen Dateien.',
    'Ce que tu y gardais reste dans tes fichiers.',
    'Lo que guardabas ahí sigue en tus archivos.',
  ],
  'There are no widgets that I could remove.': [
    'Es gibt keine Widgets, die ich entfernen könnte.',
    "Il n'y a pas de widgets que je pourrais enlever.",
    'No hay widgets que pueda quitar.',
  ],
  'Deleted the document “{title}”.': [
    'Das Dokument „{title}“ ist gelöscht.',
    'Le document « {title} » est supprimé.',
    'El documento «{title}» está borrado.',
  ],
  'Undo brings it back.': ['Mit Rückgängig kommt es zurück.', 'Annuler le fait revenir.', 'Con Deshacer vuelve.'],
  'Several documents are called that, so I deleted none: {list}. Say the file name of the one you mean.': [
    'Mehrere Dokumente heißen so, deshalb habe ich keines gelöscht: {list}. Sag den Dateinamen des richtigen.',
    "Plusieurs documents s'appellent ainsi, je n'en ai supprimé aucun : {list}. Dis le nom du bon fichier.",
    'Varios documentos se llaman así y no he borrado ninguno: {list}. Di el nombre del archivo.',
  ],
  'I found no document called “{title}”, so nothing was deleted.': [
    'Ein Dokument namens „{title}“ gibt es nicht; gelöscht ist nichts.',
    "Il n'y a pas de document appelé « {title} » ; rien n'est supprimé.",
    'No hay ningún documento llamado «{title}»; no se ha borrado nada.',
  ],
  'Did you mean {list}?': ['Meintest du {list}?', 'Voulais-tu dire {list} ?', '¿Querías decir {list}?'],
  'There is no “{title}” that I could remove.': [
    '„{title}“ gibt es nicht, ich kann es nicht entfernen.',
    "Il n'y a pas de « {title} » que je pourrais enlever.",
    'No hay ningún «{title}» que pueda quitar.',
  ],
  'Nothing has been added for you so far, and no document has that name.': [
    'Bisher ist nichts für dich dazugekommen, und kein Dokument heißt so.',
    "Rien n'a été ajouté pour toi jusqu'ici, et aucun document n'a ce nom.",
    'Hasta ahora no se ha añadido nada para ti, y ningún documento se llama así.',
  ],
  'I can remove {list}.': ['Entfernen kann ich {list}.', 'Je peux enlever {list}.', 'Puedo quitar {list}.'],
  'Made the document “{title}” ({path}).': [
    'Das Dokument „{title}“ ist da ({path}).',
    'Le document « {title} » est créé ({path}).',
    'El documento «{title}» está creado ({path}).',
  ],
  'It has only its title so far.': [
    'Bisher hat es nur seinen Titel.',
    "Il n'a que son titre pour l'instant.",
    'De momento solo tiene su título.',
  ],
  'The document “{title}” is already there, with the same words.': [
    'Das Dokument „{title}“ gibt es schon, mit denselben Worten.',
    'Le document « {title} » existe déjà, avec les mêmes mots.',
    'El documento «{title}» ya existe, con las mismas palabras.',
  ],

  // What was said not to be done
  'I left the theme as it is.': [
    'Das Design bleibt, wie es ist.',
    "J'ai laissé le thème tel quel.",
    'He dejado el tema como está.',
  ],
  'If you would rather have it {theme}, say "make it {other}".': [
    'Wenn du es lieber {theme} hättest, sag „mach es {other}“.',
    'Si tu le préfères {theme}, dis « passe en mode {other} ».',
    'Si lo prefieres {theme}, di «pon el modo {other}».',
  ],
  'I left the accent as it is.': [
    'Der Akzent bleibt, wie er ist.',
    "J'ai laissé l'accent tel quel.",
    'He dejado el acento como está.',
  ],
  'To change it, name the colour you want, as in "make the accent teal".': [
    'Um ihn zu ändern, nenn die Farbe, etwa „mach den Akzent türkis“.',
    "Pour le changer, dis la couleur, par exemple « mets l'accent en turquoise ».",
    'Para cambiarlo, di el color, por ejemplo «pon el acento turquesa».',
  ],
  'I left the wallpaper as it is.': [
    'Das Hintergrundbild bleibt, wie es ist.',
    "J'ai laissé le fond d'écran tel quel.",
    'He dejado el fondo de pantalla como está.',
  ],
  'To change it, name one: {list}, or a colour.': [
    'Um es zu ändern, nenn eines ({list}) oder eine Farbe.',
    'Pour le changer, nommes-en un ({list}) ou une couleur.',
    'Para cambiarlo, di uno ({list}) o un color.',
  ],
  'I left the text size as it is.': [
    'Die Textgröße bleibt, wie sie ist.',
    "J'ai laissé la taille du texte telle quelle.",
    'He dejado el tamaño del texto como está.',
  ],
  'Say "bigger", "smaller" or a number of pixels to change it.': [
    'Sag „größer“, „kleiner“ oder eine Zahl von Pixeln, um sie zu ändern.',
    'Dis « plus grand », « plus petit » ou un nombre de pixels pour la changer.',
    'Di «más grande», «más pequeño» o un número de píxeles para cambiarlo.',
  ],
  'I left the taskbar where it is: without it you could not reach your windows.': [
    'Die Taskleiste bleibt, wo sie ist: Ohne sie kämst du nicht an deine Fenster.',
    'La barre des tâches reste où elle est : sans elle, tu ne pourrais plus atteindre tes fenêtres.',
    'La barra de tareas se queda donde está: sin ella no llegarías a tus ventanas.',
  ],
  'I can put it at the top or at the bottom.': [
    'Ich kann sie nach oben oder nach unten setzen.',
    'Je peux la mettre en haut ou en bas.',
    'Puedo ponerla arriba o abajo.',
  ],
  'I left the taskbar where it is.': [
    'Die Taskleiste bleibt, wo sie ist.',
    'La barre des tâches reste où elle est.',
    'La barra de tareas se queda donde está.',
  ],
  'I added no {kind}.': ['Nichts hinzugefügt ({kind}).', 'Rien ajouté ({kind}).', 'No he añadido nada ({kind}).'],
  'I made no new app.': [
    'Ich habe keine neue App gemacht.',
    "Je n'ai pas fait de nouvelle application.",
    'No he hecho ninguna aplicación nueva.',
  ],
  'I cannot start, stop or set a timer for you. Its own window has buttons for that.': [
    'Einen Timer kann ich nicht starten, anhalten oder stellen. Sein Fenster hat Knöpfe dafür.',
    'Je ne peux pas démarrer, arrêter ni régler un minuteur. Sa fenêtre a des boutons pour cela.',
    'No puedo iniciar, parar ni ajustar un temporizador. Su ventana tiene botones para eso.',
  ],
  'I removed nothing.': ['Ich habe nichts entfernt.', "Je n'ai rien enlevé.", 'No he quitado nada.'],
  'I delete documents one at a time, by name. In Files you can see them all.': [
    'Dokumente lösche ich einzeln, nach Namen. In Files siehst du alle.',
    'Je supprime les documents un par un, par leur nom. Files les montre tous.',
    'Borro los documentos de uno en uno, por su nombre. En Files los ves todos.',
  ],
  'I wrote nothing down.': ['Ich habe nichts notiert.', "Je n'ai rien noté.", 'No he apuntado nada.'],
  'I made no document.': [
    'Ich habe kein Dokument gemacht.',
    "Je n'ai fait aucun document.",
    'No he creado ningún documento.',
  ],
  'I took nothing back.': ['Ich habe nichts zurückgenommen.', "Je n'ai rien annulé.", 'No he deshecho nada.'],
  'I brought nothing back.': ['Ich habe nichts zurückgeholt.', "Je n'ai rien rétabli.", 'No he recuperado nada.'],
  'I did not go back.': ['Ich bin nicht zurückgegangen.', 'Je ne suis pas revenu en arrière.', 'No he vuelto atrás.'],
  'I saved no checkpoint.': [
    'Ich habe keinen Sicherungspunkt gespeichert.',
    "Je n'ai pas enregistré de point de sauvegarde.",
    'No he guardado ningún punto de control.',
  ],
}
