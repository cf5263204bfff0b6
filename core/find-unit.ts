/** A unit that can be taken back, with the text by which words can find it. */
export interface NamedUnit {
  readonly title: string
  /** The paths it touched. */
  readonly about: string
  /** What was asked for, where it was a run. */
  readonly asked: string
}

const HOLLOW = new Set(
  (
    'the a an my your our that this those these it its them they him her of in on for from to with at and or is was be i you me we did do done made make ' +
    'der die das den dem des ein eine einen einem mein meine meinen le les l un une mon ma mes el la los las mi mis de du del ' +
    'change changes changed changing last latest newest previous recent old new again back please thing things one mode colour color file document doc text'
  ).split(' '),
)

/** Words that people use for things that have another name here. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  background: ['wallpaper', 'background'],
  font: ['font', 'letters', 'text'],
  letters: ['font', 'letters', 'text'],
  size: ['size', 'larger', 'smaller', 'bigger'],
  note: ['note', 'notes'],
  deletion: ['deleted', 'removed'],
  deleting: ['deleted', 'removed'],
  renaming: ['renamed'],
  rename: ['renamed'],
  move: ['moved'],
  upload: ['added'],
  typing: ['typing'],
}

/** The words that name something: without any, every unit would match. */
export function namingWords(said: string): string[] {
  const words = split(said)
  const naming = words.filter((word) => !HOLLOW.has(word))
  // "Undo the text": where nothing else is said, even a hollow word names something.
  return naming.length > 0
    ? naming
    : words.filter((word) => ['colour', 'color', 'text', 'document', 'doc', 'file', 'mode'].includes(word))
}

/** Whether every word fits this unit: better to find nothing than the wrong thing. */
export function isAbout({ title, about, asked }: NamedUnit, words: readonly string[]): boolean {
  const known = new Set([title, about, asked].flatMap(split))
  return (
    words.length > 0 && words.every((word) => [word, ...(OTHER_WORDS[word] ?? [])].some((one) => hasWord(known, one)))
  )
}

/** "Wallpapers" also finds "wallpaper", and "timer" finds "timers". */
function hasWord(known: ReadonlySet<string>, word: string): boolean {
  return known.has(word) || known.has(word.replace(/(es|s)$/, '')) || known.has(`${word}s`)
}

function split(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
