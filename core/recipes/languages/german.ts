import { GERMAN_WORDS } from './german-words.ts'
import type { LexiconData } from './language.ts'

/** German, brought into the words that recipes know. */
export const GERMAN: LexiconData = {
  language: 'de',
  endings: { adjective: ['', 'e', 'en', 'em', 'er', 'es'], verb: ['', 'e', 'en', 't', 'st'] },
  words: GERMAN_WORDS,
  colours: {
    'red': 'rot*',
    'green': 'grün*',
    'blue': 'blau*',
    'yellow': 'gelb*',
    'orange': 'orange, orangen, orangene, orangenen, orangener, orangenes, orangefarben*',
    'purple': 'lila, violett*, purpur, purpurn*',
    'pink': 'rosa, pink, pinke, pinken, pinkes',
    'brown': 'braun*',
    'grey': 'grau*',
    'gold': 'gold, golden*, goldn*',
    'silver': 'silber, silbern*',
    'teal': 'petrol, blaugrün*',
    'turquoise': 'türkis, türkise, türkisen, türkises, türkisfarben*',
    'beige': 'beige*',
    'crimson': 'karmesinrot*, purpurrot*',
    'lavender': 'lavendel',
    'mint': 'mint, minze, mintgrün*',
    'navy': 'marineblau*',
    'sky blue': 'himmelblau*',
    'olive': 'oliv, olivgrün*',
  },
  shades: { dark: 'dunkel{}, tief{}', light: 'hell{}', pale: 'blass{}, zart{}' },
  brackets: {
    'weg, fort, raus, heraus': {
      ditch: 'mach~, nimm, nehmt, tu, tue, räum~, wirf, werft, schmeiß~, pack~, schaff~',
    },
    'rückgängig, ungeschehen': { undo: 'mach~' },
    'zurück': {
      'take back': 'nimm, nehmt',
      'reset': 'setz~, stell~',
      'bring back': 'bring~, hol~',
      'roll back': 'roll~, dreh~',
      'go back': 'geh, gehe, kehr, kehre, spring, springe',
      'give me back': 'gib, gebt',
    },
    'an': { 'turn on': 'mach~, schalt~, knips~', 'show': 'zeig~', 'create': 'leg~' },
    'ein': { 'turn on': 'schalt~', 'show': 'blend~', 'add': 'füg~, bau~', 'set': 'stell~', 'set up': 'richt~' },
    'aus': { 'turn off': 'mach~, schalt~, knips~', 'hide': 'blend~', 'replace': 'tausch~' },
    'ab': { 'turn off': 'schalt~, stell~' },
    'hinzu, dazu': { add: 'füg~, tu, tue, pack~' },
    'rein, hin': { add: 'mach~, bau~, tu, tue, setz~, pack~' },
    'mehr': { 'no more': 'kein*' },
    'um': { switch: 'stell~, schalt~' },
    'her, wieder her': { restore: 'stell~' },
    'auf': { 'tell me': 'liste, listet, zähl~' },
  },
  final:
    'hinzufügen, einfügen, dazutun, reinmachen, hinmachen, einbauen, anlegen, erstellen, machen, bauen, basteln, erzeugen, einrichten, anzeigen, zeigen, einblenden, sehen, ausblenden, verstecken, entfernen, löschen, wegmachen, wegnehmen, wegtun, rausnehmen, umschalten, umstellen, wechseln, ändern, verschieben, setzen, stellen, legen, haben, kriegen, bekommen, wiederhaben, zurückhaben, nutzen, nehmen, verwenden, benutzen, einschalten, ausschalten, anschalten, abschalten, anmachen, ausmachen, aktivieren, deaktivieren, zurücknehmen, wiederherstellen, speichern, sichern, abspeichern, schreiben, zurücksetzen, vergrößern, verkleinern, begrüßen, wiederbekommen, zurückbekommen, tun, bringen, zurückholen, zurückbringen, packen, hab',
  heads: 'liste, timer, notizen, tagebuch',
  first: { wie: 'how to' },
  last: { das: 'it', dies: 'it', sie: 'it', ihn: 'it' },
  manners:
    'bitte, danke, mal, jetzt, wieder, doch, auch, und, dann, sofort, noch, gleich, gerne, gern, lieber, aber, nochmal',
  ordinary:
    'wissen, ziege, leisten, leistet, lasten, lustig, listig, schritt, schicht, licht, nichts, richtig, wichtig, wachsen, wecker, lecker, rezept, rezepte, rechnen, rechnung, morgens, monate, montage, garten, karten, warten, starten, platte, platten, latte, hallen, fallen, gelbe, uhren, ohren, erfahren, fahren, dunst, dunkelheit, helden, zeiten, seiten, weiten, woanders, anderes, anders, testen, gesten, westen, besten, letzter, setzte, gesetzt, gemacht, gelöscht, entfernt, gezeigt, geändert, gespeichert, machte, zeigte, löschte, stellte, gestellt, notiert, schrieb, geschrieben, brach, sprache, rotes, raten, farben, färben, warben, klein, kleider, kleidung, keiner, vergessen, verlassen, versteht, verstehen, bestellen, bestell, anstellen, dokumentation, akzeptiere, akzeptieren, hintergründe, texten, weißt, weiss, weise, reise, reisen, kreise',
  withdrawals: {
    always:
      'vergiss es, vergiss das, vergessen wir es, egal, ist egal, schon gut, lass es, lass das, lass gut sein, lass mal, lass es sein, doch nicht, stopp, halt, halt stopp, hör auf, aufhören, abbrechen, brich ab, abbruch, ich habe es mir anders überlegt, ich habs mir anders überlegt, vergiss es einfach, macht nichts, schon okay',
    asked:
      'nein, nö, nee, nein danke, keins, keine, keines, keine davon, keiner, keins davon, nichts, nicht, ich weiß nicht, weiß nicht, weder noch',
  },
  titles: {
    leading:
      'ein, eine, einen, einem, einer, der, die, das, den, dem, des, mein, meine, meinen, meinem, meiner, unser, unsere, unseren, unserem, alle, allen, von, für, über, neue, neuen, neuer, neues',
    trailing: 'bitte, danke, auch, mal, jetzt, für mich, app, zu, rein, drin, hier, dort, da, noch',
    listed:
      'liste, aufgabe, einkauf, einkäufe, erledig, besorg, hausaufgabe, pack, ziele, to.?do, lebensmittel, abhaken',
    generic: 'dinge, sachen, zeug, alles, notizen, notiz, gedanken, etwas, kram',
    timer: '{}-Timer',
    usual: { notes: 'Notizen', todo: 'Aufgaben', timer: 'Timer' },
  },
}
