/**
 * Cuts a text to so many characters, never through the middle of one, and replaces lone surrogates: an event can hold
 * neither half a character nor a lone surrogate.
 */
export function clip(text: string, charsMax: number): string {
  const whole = text.toWellFormed()
  if (whole.length <= charsMax) return whole
  const cut = whole.slice(0, charsMax - 1)
  const last = cut.charCodeAt(cut.length - 1)
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`
}
