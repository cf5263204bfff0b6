/**
 * Sentences near to what a recipe does that ask for something else, in the form of `sentences.suite.ts`: they were done
 * wrong and reported as done. Used by tests.
 */
export const MISREAD_SENTENCES: readonly (readonly [string, ...string[]])[] = [
  // A background is not the whole desktop.
  ['make the background a bit lighter', '?'],
  ['make the background brighter please', '?'],
  ['can you darken the background', '?'],
  ['a lighter background', '?'],
  ['make the wallpaper darker', '?'],
  ['the background is too dark', '…the background is too dark'],
  ['mach den Hintergrund bitte etwas heller', '?'],
  ['mach den Hintergrund dunkler', '?'],
  ['ich hätte gern einen helleren Hintergrund', '?'],
  ['kannst du den Hintergrund aufhellen?', '?'],
  ['der Hintergrund ist zu dunkel', '…der Hintergrund ist zu dunkel'],
  ['rends le fond un peu plus clair', '?'],
  ["rends le fond d'écran plus sombre", '?'],
  ['assombris le fond', '?'],
  ['haz el fondo un poco más claro', '?'],
  ['pon el fondo de pantalla más oscuro', '?'],
  ['oscurece el fondo', '?'],
  ['make everything lighter', 'theme:light'],
  ['make the theme darker', 'theme:dark'],
  ['give me a dark background', 'theme:dark'],
  ['mach alles heller', 'theme:light'],
  ['mach es dunkler', 'theme:dark'],
  ['rends tout plus clair', 'theme:light'],
  ['haz todo más oscuro', 'theme:dark'],
]
