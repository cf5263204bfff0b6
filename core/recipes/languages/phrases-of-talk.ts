/** What is asked and said around the recipes; as in `phrases-of-recipes.ts`. */
export const PHRASES_OF_TALK: Readonly<Record<string, readonly [de: string, fr: string, es: string]>> = {
  // Questions
  'Light or dark?': ['Hell oder dunkel?', 'Clair ou sombre ?', '¿Claro u oscuro?'],
  'Which colour? Any name or a value such as #0f7b74 will do.': [
    'Welche Farbe? Ein Name oder ein Wert wie #0f7b74 genügt.',
    'Quelle couleur ? Un nom ou une valeur comme #0f7b74 suffit.',
    '¿Qué color? Basta un nombre o un valor como #0f7b74.',
  ],
  'Which one of these?': ['Welches davon?', 'Lequel de ceux-ci ?', '¿Cuál de estos?'],
  'Which wallpaper? You can also name a colour.': [
    'Welches Hintergrundbild? Du kannst auch eine Farbe nennen.',
    "Quel fond d'écran ? Tu peux aussi nommer une couleur.",
    '¿Qué fondo de pantalla? También puedes decir un color.',
  ],
  'Which size? A number of pixels from {least} to {most} will do, too.': [
    'Welche Größe? Auch eine Zahl von {least} bis {most} Pixel geht.',
    'Quelle taille ? Un nombre de pixels de {least} à {most} convient aussi.',
    '¿Qué tamaño? También vale un número de píxeles de {least} a {most}.',
  ],
  '{size} pixels is out of range.': [
    '{size} Pixel geht nicht.',
    '{size} pixels, ce n’est pas possible.',
    '{size} píxeles no es posible.',
  ],
  'Should the taskbar be at the top or at the bottom?': [
    'Soll die Taskleiste oben oder unten sein?',
    'La barre des tâches doit-elle être en haut ou en bas ?',
    '¿La barra de tareas debe estar arriba o abajo?',
  ],
  'Which day should it count down to?': [
    'Bis zu welchem Tag soll der Countdown gehen?',
    "Jusqu'à quel jour doit aller le compte à rebours ?",
    '¿Hasta qué día debe ir la cuenta atrás?',
  ],
  'What should I call you?': ['Wie soll ich dich nennen?', 'Comment dois-je t’appeler ?', '¿Cómo debo llamarte?'],
  'What should I write down?': ['Was soll ich notieren?', 'Que dois-je noter ?', '¿Qué debo apuntar?'],
  'Which checkpoint? History in the frame above lists them by name.': [
    'Welcher Sicherungspunkt? History im Rahmen oben nennt sie alle.',
    'Quel point de sauvegarde ? History, dans le cadre en haut, les nomme tous.',
    '¿Qué punto de control? History, en el marco de arriba, los nombra todos.',
  ],
  '“{said}” does not fit here.': [
    '„{said}“ passt hier nicht.',
    '« {said} » ne convient pas ici.',
    '«{said}» no encaja aquí.',
  ],
  'Nobody answered, so I left that as it was.': [
    'Niemand hat geantwortet, also bleibt das, wie es war.',
    "Personne n'a répondu, alors je l'ai laissé tel quel.",
    'Nadie ha contestado, así que lo he dejado como estaba.',
  ],
  'I could not make anything of “{said}”, so I left that as it was.': [
    'Mit „{said}“ konnte ich nichts anfangen, also bleibt das, wie es war.',
    "Je n'ai rien compris à « {said} », alors je l'ai laissé tel quel.",
    'No he entendido «{said}», así que lo he dejado como estaba.',
  ],
  'All right.': ['In Ordnung.', "D'accord.", 'De acuerdo.'],
  'You asked for something else instead, so I left this as it was.': [
    'Du wolltest stattdessen etwas anderes, also bleibt dies, wie es war.',
    "Tu as demandé autre chose, alors j'ai laissé ceci tel quel.",
    'Has pedido otra cosa, así que he dejado esto como estaba.',
  ],

  // What was not understood
  'My own recipes, which know some English, German, French and Spanish, have nothing for that; a language model (Model, at the top) could do more – or did you mean {list}?':
    [
      'Meine eigenen Rezepte haben dafür nichts; ein Sprachmodell (Model, oben) könnte mehr – oder meintest du {list}?',
      "Mes propres recettes n'ont rien pour cela ; un modèle de langage (Model, en haut) pourrait plus – ou voulais-tu dire {list} ?",
      'Mis propias recetas no tienen nada para eso; un modelo de lenguaje (Model, arriba) podría más – ¿o querías decir {list}?',
    ],
  'I did not understand: {list}.': [
    'Das habe ich nicht verstanden: {list}.',
    "Je n'ai pas compris : {list}.",
    'No he entendido: {list}.',
  ],
  'I went by what you said last, not by {list}.': [
    'Ich habe mich an das gehalten, was du zuletzt gesagt hast, nicht an {list}.',
    "J'ai suivi ce que tu as dit en dernier, pas {list}.",
    'He seguido lo último que dijiste, no {list}.',
  ],
  'To do that, say {list}.': ['Sag dazu {list}.', 'Pour cela, dis {list}.', 'Para eso, di {list}.'],
  'There is nothing to stop right now. To take back the last change, say “undo that”.': [
    'Gerade gibt es nichts anzuhalten. Um die letzte Änderung zurückzunehmen, sag „mach das rückgängig“.',
    "Il n'y a rien à arrêter. Pour annuler le dernier changement, dis « annule ça ».",
    'No hay nada que parar. Para deshacer el último cambio, di «deshazlo».',
  ],
  'You’re welcome.': ['Gern geschehen.', 'De rien.', 'De nada.'],
  'Hello!': ['Hallo!', 'Bonjour !', '¡Hola!'],
  'Tell me what you would like, or press ? for ideas.': [
    'Sag mir, was du möchtest, oder drück ? für Ideen.',
    'Dis-moi ce que tu veux, ou appuie sur ? pour des idées.',
    'Dime qué quieres, o pulsa ? para ver ideas.',
  ],
  'Just say it in your own words, for example: {list}.': [
    'Sag es einfach mit deinen Worten, zum Beispiel: {list}.',
    'Dis-le simplement avec tes mots, par exemple : {list}.',
    'Dilo con tus palabras, por ejemplo: {list}.',
  ],
  'I also write documents, tell you what you have and what changed, and take back whatever I did.': [
    'Ich schreibe auch Dokumente, sage dir, was du hast und was sich geändert hat, und nehme zurück, was ich getan habe.',
    "J'écris aussi des documents, je te dis ce que tu as et ce qui a changé, et je défais tout ce que j'ai fait.",
    'También escribo documentos, te digo qué tienes y qué ha cambiado, y deshago lo que haya hecho.',
  ],
  'The ? menu has all of it, with forms to fill in.': [
    'Das Menü ? hat alles, mit Formularen zum Ausfüllen.',
    'Le menu ? contient tout, avec des formulaires à remplir.',
    'El menú ? lo tiene todo, con formularios para rellenar.',
  ],
  'There was nothing to do.': ['Es gab nichts zu tun.', "Il n'y avait rien à faire.", 'No había nada que hacer.'],

  // History
  'Took back: {titles}.': ['Zurückgenommen: {titles}.', 'Annulé : {titles}.', 'Deshecho: {titles}.'],
  'Redone: {titles}.': ['Wiederhergestellt: {titles}.', 'Rétabli : {titles}.', 'Rehecho: {titles}.'],
  'Went back to “{name}”; files and windows are as they were then.': [
    'Zurück bei „{name}“: Dateien und Fenster sind, wie sie damals waren.',
    'De retour à « {name} » : fichiers et fenêtres sont comme ils étaient alors.',
    'De vuelta en «{name}»: archivos y ventanas están como entonces.',
  ],
  'I could not do that: I found nothing about “{what}” that could be taken back.': [
    'Das ging nicht: Zu „{what}“ gibt es nichts, was ich zurücknehmen könnte.',
    "Je n'ai pas pu : il n'y a rien à annuler à propos de « {what} ».",
    'No he podido: no hay nada sobre «{what}» que pueda deshacer.',
  ],
  'I could not do that: there is nothing to undo.': [
    'Das ging nicht: Es gibt nichts zurückzunehmen.',
    "Je n'ai pas pu : il n'y a rien à annuler.",
    'No he podido: no hay nada que deshacer.',
  ],
  'I could not do that: there is nothing to redo.': [
    'Das ging nicht: Es gibt nichts wiederherzustellen.',
    "Je n'ai pas pu : il n'y a rien à rétablir.",
    'No he podido: no hay nada que rehacer.',
  ],
  'I could not do that: there is no checkpoint called “{name}”; you have named none yet.': [
    'Das ging nicht: Einen Sicherungspunkt „{name}“ gibt es nicht; du hast noch keinen benannt.',
    "Je n'ai pas pu : il n'y a pas de point de sauvegarde « {name} » ; tu n'en as encore nommé aucun.",
    'No he podido: no hay un punto de control «{name}»; aún no has nombrado ninguno.',
  ],
  'I could not do that: there is no checkpoint called “{name}”; there is {list}.': [
    'Das ging nicht: Einen Sicherungspunkt „{name}“ gibt es nicht; es gibt {list}.',
    "Je n'ai pas pu : il n'y a pas de point de sauvegarde « {name} » ; il y a {list}.",
    'No he podido: no hay un punto de control «{name}»; hay {list}.',
  ],
  'I could not do that: there is no checkpoint called “{name}”; there are {list}.': [
    'Das ging nicht: Einen Sicherungspunkt „{name}“ gibt es nicht; es gibt {list}.',
    "Je n'ai pas pu : il n'y a pas de point de sauvegarde « {name} » ; il y a {list}.",
    'No he podido: no hay un punto de control «{name}»; hay {list}.',
  ],
  'Once the desktop is seen to work, this point will be saved as “{name}”.': [
    'Sobald der Desktop nachweislich läuft, wird dieser Stand als „{name}“ gespeichert.',
    'Dès que le bureau aura montré qu’il marche, cet état sera enregistré sous « {name} ».',
    'En cuanto se vea que el escritorio funciona, este punto se guardará como «{name}».',
  ],
  'I saved this point as “{name}”.': [
    'Dieser Stand ist als „{name}“ gespeichert.',
    "J'ai enregistré cet état sous « {name} ».",
    'He guardado este punto como «{name}».',
  ],
  'How far back? Say “undo the last two changes”, “restore” and the name of a checkpoint, or look into History in the frame above.':
    [
      'Wie weit zurück? Sag „mach die letzten zwei Änderungen rückgängig“ oder „geh zurück zum Sicherungspunkt“ mit seinem Namen, oder sieh in History im Rahmen oben nach.',
      'Jusqu’où ? Dis « annule les deux dernières modifications », ou « reviens au point de sauvegarde » et son nom, ou regarde History dans le cadre en haut.',
      '¿Hasta dónde? Di «deshaz los dos últimos cambios», o «vuelve al punto de control» y su nombre, o mira History en el marco de arriba.',
    ],
  'I take back at most {count} things at once. How many?': [
    'Ich nehme höchstens {count} Änderungen auf einmal zurück. Wie viele?',
    "J'annule au plus {count} choses à la fois. Combien ?",
    'Deshago como mucho {count} cosas a la vez. ¿Cuántas?',
  ],
  'Nothing has changed so far.': [
    'Bisher hat sich nichts geändert.',
    "Rien n'a changé jusqu'ici.",
    'Hasta ahora no ha cambiado nada.',
  ],
  'Here is what changed lately, newest first:': [
    'Das hat sich zuletzt geändert, das Neueste zuerst:',
    'Voici ce qui a changé récemment, du plus récent au plus ancien :',
    'Esto ha cambiado últimamente, lo más nuevo primero:',
  ],

  // What is here
  'Your documents and files: {list}.': [
    'Deine Dokumente und Dateien: {list}.',
    'Tes documents et fichiers : {list}.',
    'Tus documentos y archivos: {list}.',
  ],
  'Your apps: {list}.': ['Deine Apps: {list}.', 'Tes applications : {list}.', 'Tus aplicaciones: {list}.'],
  'Your widgets in the taskbar: {list}.': [
    'Deine Widgets in der Taskleiste: {list}.',
    'Tes widgets dans la barre des tâches : {list}.',
    'Tus widgets en la barra de tareas: {list}.',
  ],
  'There are no documents and files yet.': [
    'Es gibt noch keine Dokumente und Dateien.',
    "Il n'y a pas encore de documents ni de fichiers.",
    'Todavía no hay documentos ni archivos.',
  ],
  'There are no apps yet.': [
    'Es gibt noch keine Apps.',
    "Il n'y a pas encore d'applications.",
    'Todavía no hay aplicaciones.',
  ],
  'There are no widgets in the taskbar yet.': [
    'In der Taskleiste sind noch keine Widgets.',
    "Il n'y a pas encore de widgets dans la barre des tâches.",
    'Todavía no hay widgets en la barra de tareas.',
  ],
  'You have changed no settings yet.': [
    'Du hast noch keine Einstellungen geändert.',
    "Tu n'as encore changé aucun réglage.",
    'Todavía no has cambiado ningún ajuste.',
  ],
  'What you have set: {list}.': [
    'Das hast du eingestellt: {list}.',
    'Ce que tu as réglé : {list}.',
    'Lo que has ajustado: {list}.',
  ],
  'I looked through the desktop’s code and found nothing wrong.': [
    'Ich habe den Code des Desktops durchgesehen und nichts Falsches gefunden.',
    "J'ai parcouru le code du bureau et n'ai rien trouvé d'anormal.",
    'He revisado el código del escritorio y no he encontrado nada mal.',
  ],
  'I could not check everything: one check ended without an answer.': [
    'Ich konnte nicht alles prüfen: Eine Prüfung endete ohne Antwort.',
    "Je n'ai pas pu tout vérifier : un contrôle s'est terminé sans réponse.",
    'No he podido comprobarlo todo: una comprobación terminó sin respuesta.',
  ],
  'I found a problem:': ['Ich habe ein Problem gefunden:', "J'ai trouvé un problème :", 'He encontrado un problema:'],
  'I found {count} problems:': [
    'Ich habe {count} Probleme gefunden:',
    "J'ai trouvé {count} problèmes :",
    'He encontrado {count} problemas:',
  ],
  'That did not work.': ['Das hat nicht geklappt.', "Ça n'a pas marché.", 'Eso no ha funcionado.'],
  'I tried it on a copy, and it did not pass the checks.': [
    'Ich habe es an einer Kopie versucht, und es hat die Prüfungen nicht bestanden.',
    "Je l'ai essayé sur une copie, et les contrôles ne sont pas passés.",
    'Lo he probado en una copia y no ha pasado las comprobaciones.',
  ],
  'I only did that part. Going back is done on its own, so please ask for the rest again: {list}.': [
    'Ich habe nur diesen Teil getan. Zurückgehen geht nur für sich; bitte um den Rest noch einmal: {list}.',
    "Je n'ai fait que cette partie. Revenir en arrière se fait seul ; redemande le reste : {list}.",
    'Solo he hecho esa parte. Volver atrás se hace aparte; pide el resto otra vez: {list}.',
  ],
  'Nothing was changed.': ['Nichts wurde geändert.', "Rien n'a été changé.", 'No se ha cambiado nada.'],
  'Nothing was changed:': ['Nichts wurde geändert:', "Rien n'a été changé :", 'No se ha cambiado nada:'],
  'The model says:': ['Das Modell sagt:', 'Le modèle dit :', 'El modelo dice:'],
  'The model gave no answer.': [
    'Das Modell hat nicht geantwortet.',
    "Le modèle n'a pas répondu.",
    'El modelo no ha respondido.',
  ],
  'The model could not be used:': [
    'Das Modell konnte nicht benutzt werden:',
    "Le modèle n'a pas pu être utilisé :",
    'No se ha podido usar el modelo:',
  ],
  'Something went wrong on my side:': [
    'Bei mir ist etwas schiefgegangen:',
    "Quelque chose s'est mal passé de mon côté :",
    'Algo ha salido mal por mi parte:',
  ],
  'I stopped:': ['Ich habe aufgehört:', 'Je me suis arrêté :', 'Me he detenido:'],
  'I stopped after {count} steps.': [
    'Ich habe nach {count} Schritten aufgehört.',
    'Je me suis arrêté après {count} étapes.',
    'Me he detenido después de {count} pasos.',
  ],
  'I stopped, because the model got nowhere:': [
    'Ich habe aufgehört, weil das Modell nicht weiterkam:',
    "Je me suis arrêté, car le modèle n'avançait plus :",
    'Me he detenido porque el modelo no avanzaba:',
  ],
  'I could not go on from there:': [
    'Von da an ging es nicht weiter:',
    "À partir de là, je n'ai pas pu continuer :",
    'A partir de ahí no he podido seguir:',
  ],
  'Done so far:': ['Bisher getan:', "Fait jusqu'ici :", 'Hecho hasta ahora:'],
  'A reviewer does not find this in it:': [
    'Wer es geprüft hat, findet das nicht darin:',
    "La relecture n'y trouve pas ceci :",
    'Quien lo ha revisado no encuentra esto:',
  ],
  'Nobody else has looked at this: the reviewer gave no verdict.': [
    'Niemand sonst hat es sich angesehen: Die Prüfung blieb ohne Urteil.',
    "Personne d'autre ne l'a regardé : la relecture n'a donné aucun avis.",
    'Nadie más lo ha mirado: la revisión no dio ningún veredicto.',
  ],

  // Memory
  'I will remember: “{text}”': [
    'Ich merke mir: „{text}“',
    'Je m’en souviendrai : « {text} »',
    'Lo recordaré: «{text}»',
  ],
  'I remember nothing about that, so there is nothing to forget.': [
    'Davon habe ich mir nichts gemerkt, also gibt es nichts zu vergessen.',
    'Je n’ai rien retenu à ce sujet, il n’y a donc rien à oublier.',
    'No recuerdo nada de eso, así que no hay nada que olvidar.',
  ],
  'I have forgotten “{text}”. Memory can bring it back.': [
    'Ich habe „{text}“ vergessen. Memory kann es zurückholen.',
    'J’ai oublié « {text} ». Memory peut le faire revenir.',
    'He olvidado «{text}». Memory puede recuperarlo.',
  ],
  'I know nothing about you yet.': [
    'Ich weiß noch nichts über dich.',
    'Je ne sais encore rien de toi.',
    'Todavía no sé nada de ti.',
  ],
  'Tell me, for example “remember that I like short answers”.': [
    'Sag mir zum Beispiel „merk dir, dass ich kurze Antworten mag“.',
    'Dis-moi par exemple « souviens-toi que j’aime les réponses courtes ».',
    'Dime, por ejemplo, «recuerda que me gustan las respuestas cortas».',
  ],
  'This is what you told me:': [
    'Das hast du mir erzählt:',
    'Voici ce que tu m’as dit :',
    'Esto es lo que me has contado:',
  ],
  'The Memory app shows where it came from, and lets you correct it.': [
    'Die App Memory zeigt, woher es kommt, und du kannst es dort berichtigen.',
    'L’application Memory montre d’où cela vient et permet de le corriger.',
    'La aplicación Memory muestra de dónde viene y permite corregirlo.',
  ],
}
