import type { Foreign } from './language.ts'

/**
 * Everyday talk with the words of the lexicons in other meanings: of all this, nothing may be done. Used by tests.
 */
export const ORDINARY_TALK: Readonly<Record<Foreign, string>> = {
  de: `
Ich gehe heute nach oben / Das Licht ist mir zu hell / Der Wald ist dunkel / Ich brauche Geld /
Ich brauche mehr Zeit / Gib mir das Salz / Ich will nach Hause / Wir haben keine Milch mehr /
Kannst du das bitte machen / Mach mal / Mach weiter so / Das geht nicht mehr / Ich möchte ein Bier /
Nimm den Bus nach Berlin / Die Zeit läuft / Ich mag rot / Rot ist schön / Ein blaues Auto / Mir ist das egal /
Zeig mir die Katze / Zeig mir Bilder vom Meer / Wo sind meine Dokumente / Wer hat die Uhr erfunden /
Kauf eine Uhr / Ich habe eine Liste / Die Liste ist leer / Mach die Liste leer / Lösche meine Daten nicht /
Vergiss das Datum nicht / Lösch das Feuer / Nimm die Tabletten weg / Räum dein Zimmer auf /
Schalte den Fernseher aus / Mach das Fenster zu / Mach die Tür auf / Stell die Heizung an / Geh weg /
Komm zurück / Ich komme morgen zurück / Bring mir einen Kaffee / Wann kommt der Bus zurück /
Ist die Uhr kaputt / Alles klar / Alles gut / Was machst du / Wie geht es dir / Was ist das /
Ich habe ein Problem / Der Text ist gut / Der Text ist zu lang / Schreib den Text um / Schreib mir /
Speichere den Text / Ich habe das Dokument gespeichert / Was steht im Dokument / Öffne das Dokument /
Die Schrift gefällt mir / Kein Problem / Kein Bock / Ohne Worte / Nicht schlecht / Das ist nicht mehr lustig /
Bitte nicht / Bitte keine Werbung / Heute ist Montag / Weihnachten ist schön / Guten Morgen / Gute Nacht /
Sag mir die Uhrzeit / Wie viel Uhr ist es / Ist es dunkel / Soll ich gehen / Ich kann nicht schlafen /
Lösche die letzte Zeile / Ändere die letzte Zeile / Setz dich hin / Leg dich hin / Mach das Radio an /
Mach Musik an / Nimm mich mit / Tu das nicht / Ein Platz für zwei bitte / Ein Platz am Fenster /
Ich brauche einen Platz zum Schlafen / Notizen sind wichtig / Programm für heute / Hintergrundmusik bitte /
Alle Ampeln sind rot / Mach mir ein Brot / Mach mir einen Tee / Timer ist fertig /
Wie stelle ich den Timer ein / Stell den Timer auf fünf Minuten / Die Leiste ist kaputt /
Die linke Seite ist leer / Nichts geht mehr / Ich will nichts mehr hören / Entferne den Virus /
Ich gehe zurück zum Auto / Zurück zum Thema / Zurück in die Zukunft / Stelle die Ordnung wieder her /
Das ist neu / Etwas Neues bitte`,
  fr: `
Je vais en haut / La lumière est trop forte / La forêt est sombre / J'ai besoin d'argent /
J'ai besoin de temps / Donne-moi le sel / Je veux rentrer / Il n'y a plus de lait / Tu peux le faire /
Fais-le / C'est fait / Prends le bus pour Paris / Le temps passe / J'aime le bleu / Le rouge est beau /
Une voiture bleue / Montre-moi le chat / Montre-moi des photos de la mer / Où sont mes documents /
Achète une horloge / J'ai une liste / La liste est vide / N'oublie pas la date / Éteins le feu /
Enlève tes chaussures / Range ta chambre / Éteins la télé / Ferme la fenêtre / Ouvre la porte /
Allume le chauffage / Va-t'en / Reviens / Reviens vite / Je reviens demain / Apporte-moi un café /
L'horloge est cassée / Ça va / Qu'est-ce que tu fais / Comment ça va / J'ai un problème / Le texte est bien /
Le texte est trop long / Réécris le texte / Écris-moi / Enregistre le texte / Ouvre le document /
Pas de problème / Pas mal / Sans commentaire / Aujourd'hui c'est lundi / Noël est beau / Bonjour / Bonne nuit /
Dis-moi l'heure / Il est quelle heure / Fait-il sombre / Dois-je partir / Tu peux m'aider / Change de sujet /
Change la dernière ligne / Supprime la dernière ligne / Mets la table / Mets de la musique / Allume la radio /
Prends-moi avec toi / Une place pour deux / Fais-moi un thé / Règle le minuteur sur cinq minutes /
La barre est cassée / Le côté gauche est vide / Plus rien ne va / Je ne veux plus rien entendre /
Enlève le virus / Reviens au sujet / Retour vers le futur / Rétablis l'ordre / C'est nouveau /
Passe-moi le sel / Passe une bonne journée / Passe le bonjour / Mets-toi en bas / Mets un manteau rouge /
Affiche le résultat / Annule mon rendez-vous / Annule la réunion de lundi`,
  es: `
Voy arriba / La luz es demasiado fuerte / El bosque es oscuro / Necesito dinero / Necesito más tiempo /
Dame la sal / Quiero ir a casa / Ya no hay leche / Puedes hacerlo / Hazlo / Hazlo ya /
Toma el autobús a Madrid / El tiempo pasa / Me gusta el azul / El rojo es bonito / Un coche azul /
Muéstrame el gato / Muéstrame fotos del mar / Dónde están mis documentos / Compra un reloj / Tengo una lista /
La lista está vacía / No olvides la fecha / Apaga el fuego / Quítate los zapatos / Ordena tu cuarto /
Apaga la tele / Cierra la ventana / Abre la puerta / Enciende la calefacción / Vete / Vuelve / Vuelve pronto /
Vuelvo mañana / Tráeme un café / El reloj está roto / Todo bien / Qué haces / Cómo estás / Tengo un problema /
El texto está bien / El texto es demasiado largo / Escríbeme / Guarda el texto / Abre el documento /
No hay problema / No está mal / Sin comentarios / Hoy es lunes / La navidad es bonita / Buenos días /
Buenas noches / Dime la hora / Qué hora es / Está oscuro / Debo irme / Puedes ayudarme / Cambia de tema /
Cambia la última línea / Borra la última línea / Pon la mesa / Pon música / Enciende la radio /
Llévame contigo / Una mesa para dos / Hazme un té / Pon el temporizador en cinco minutos / La barra está rota /
El lado izquierdo está vacío / Ya nada funciona / No quiero oír nada más / Quita el virus / Vuelve al tema /
Regreso al futuro / Restablece el orden / Es nuevo / Pásame la sal / Pásalo bien / Ponte abajo /
Ponte un abrigo rojo / Muestra el resultado / Anula mi cita / Cancela la reunión del lunes / Deshaz la maleta /
Quiero un café / Pon a lavar la ropa blanca / Para el coche / Mañana es mi cumpleaños`,
}
