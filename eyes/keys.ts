/** One key as the browser's protocol wants it. */
export interface Key {
  readonly key: string
  readonly code: string
  readonly windowsVirtualKeyCode: number
  readonly modifiers: number
  /** What it types; null: nothing. */
  readonly text: string | null
}

const SHIFT = 8
const MODIFIERS = new Map([
  ['alt', 1],
  ['option', 1],
  ['ctrl', 2],
  ['control', 2],
  ['cmd', 4],
  ['command', 4],
  ['meta', 4],
  ['shift', SHIFT],
])
const NAMED: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  Tab: 9,
  Space: 32,
  Backspace: 8,
  Delete: 46,
  Insert: 45,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Home: 36,
  End: 35,
  PageUp: 33,
  PageDown: 34,
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, 112 + index])),
}
const ALIASES: Readonly<Record<string, string>> = {
  return: 'Enter',
  esc: 'Escape',
  del: 'Delete',
  spacebar: 'Space',
  left: 'ArrowLeft',
  up: 'ArrowUp',
  right: 'ArrowRight',
  down: 'ArrowDown',
  pgup: 'PageUp',
  pgdn: 'PageDown',
}
const NAMES = new Map<string, string>([
  ...Object.keys(NAMED).map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
])
/**
 * Where a character is on a keyboard, and what Shift makes of it. The number is not the character's own: that of a full
 * stop is that of Delete.
 */
const MARKS: readonly (readonly [plain: string, shifted: string, code: string, number: number])[] = [
  ...')!@#$%^&*('.split('').map((shifted, digit) => [`${digit}`, shifted, `Digit${digit}`, 48 + digit] as const),
  [';', ':', 'Semicolon', 186],
  ['=', '+', 'Equal', 187],
  [',', '<', 'Comma', 188],
  ['-', '_', 'Minus', 189],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
  ['`', '~', 'Backquote', 192],
  ['[', '{', 'BracketLeft', 219],
  ['\\', '|', 'Backslash', 220],
  [']', '}', 'BracketRight', 221],
  ["'", '"', 'Quote', 222],
]
const KNOWN = `a character, or ${Object.keys(NAMED)
  .filter((name) => !/^F\d/.test(name))
  .join(', ')}, F1 to F12, each alone or after Ctrl+, Alt+, Shift+ or Meta+`

/**
 * Reads what is to be pressed, such as "Enter", "Ctrl+a" or "shift+tab". What is not known is refused with words that
 * say what is: another key in its place would be taken for a fault of the app.
 */
export function readKey(press: string): Key {
  const { names, last } = partsOf(press)
  const modifiers = names.reduce((all, name) => all | modifierOf(name, press), 0)
  const named = NAMES.get(last.toLowerCase())
  if (named !== undefined) {
    const text = named === 'Enter' ? '\r' : named === 'Space' && isTyped(modifiers) ? ' ' : null
    const key = named === 'Space' ? ' ' : named
    return { key, code: named, windowsVirtualKeyCode: NAMED[named] ?? 0, modifiers, text }
  }
  if (!isCharacter(last)) throw unknown(last, press)
  return characterKey(last, modifiers)
}

/** A plus at the end is the key itself. */
function partsOf(press: string): { names: string[]; last: string } {
  if (press === ' ') return { names: [], last: 'Space' }
  const parts = press.split('+').map((part) => part.trim())
  const last = parts.pop() ?? ''
  if (last !== '' || press.trim() === '') return { names: parts, last }
  return { names: parts.slice(0, -1), last: '+' }
}

function modifierOf(name: string, press: string): number {
  const modifier = MODIFIERS.get(name.toLowerCase())
  if (modifier === undefined) throw unknown(name, press)
  return modifier
}

/** A large letter is typed with Shift, whether that is said or not; with Ctrl it is only a way to write its key. */
function characterKey(character: string, asked: number): Key {
  const isTypedAlone = isTyped(asked)
  const mark = MARKS.find(([plain, shifted]) => character === plain || character === shifted)
  const isLarge = mark === undefined ? character !== character.toLowerCase() : character === mark[1]
  const modifiers = isLarge && (isTypedAlone || mark !== undefined) ? asked | SHIFT : asked
  const isShifted = (modifiers & SHIFT) !== 0
  const key = mark === undefined ? inCase(character, isShifted) : isShifted ? mark[1] : mark[0]
  const isLetter = /^[a-z]$/i.test(character)
  return {
    key,
    code: mark?.[2] ?? (isLetter ? `Key${character.toUpperCase()}` : ''),
    windowsVirtualKeyCode: mark?.[3] ?? (isLetter ? character.toUpperCase().charCodeAt(0) : 0),
    modifiers,
    text: isTypedAlone ? key : null,
  }
}

function inCase(letter: string, isLarge: boolean): string {
  const written = isLarge ? letter.toUpperCase() : letter.toLowerCase()
  return isCharacter(written) ? written : letter
}

function isCharacter(text: string): boolean {
  return /^.$/u.test(text)
}

function isTyped(modifiers: number): boolean {
  return (modifiers & ~SHIFT) === 0
}

function unknown(part: string, press: string): Error {
  const which = part === press ? '' : ` in ${JSON.stringify(press)}`
  return new Error(`there is no key ${JSON.stringify(part)}${which}; there is ${KNOWN}`)
}
