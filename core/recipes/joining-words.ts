/** Words that separate one wish from the next, but may also be part of titles and texts. */
export const SEPARATORS: ReadonlySet<string> = new Set([
  'and',
  'then',
  'but',
  'plus',
  'also',
  'with',
  'while',
  'whilst',
  'n',
])

/** After one of these words a clause says why, not what. */
export const REASONS: ReadonlySet<string> = new Set(['because', 'cause', 'cuz', 'since', 'so'])

/** After one of these phrases it says what is not wanted: "at the top instead of the bottom". */
export const EXCEPTIONS: ReadonlySet<string> = new Set(['instead of', 'rather than', 'and not', 'but not'])
