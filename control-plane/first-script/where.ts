/**
 * Part of the first script of every desktop page. Says where in the source an error was thrown: a browser only knows
 * where in what was served to it, and Vite says at the end of each module which line was which.
 */
const { fetch: load } = globalThis

const MAP = 'sourceMappingURL=data:application/json;base64,'
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** "at Name (address:1:2)" in Chromium, "Name@address:1:2" in the others. */
const CALL = /^(?:at (?:async )?(?:(\S+)[^(]*\()?|([^@]*)@)(https?:\/\/\S+?):(\d+):(\d+)\)?$/
/** The desktop's own files; all others are tools. */
const OWN = /^\/(?!@)[^?]*\.(?:tsx?|jsx?)$/
const CALLS_MAX = 8

/** The lines of one module, or null where it does not say which they were. */
async function mappingsOf(address: string): Promise<string | null> {
  const text = await (await load(address)).text()
  const at = text.lastIndexOf(MAP)
  if (at === -1) return null
  const { mappings } = JSON.parse(atob(text.slice(at + MAP.length).split(/\s/)[0] ?? '')) as { mappings: string }
  return mappings
}

/** The numbers of one segment: each is written in digits of five bits, the first one with its sign. */
function numbersIn(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if ((bits & 32) !== 0) continue
    numbers.push((value & 1) === 0 ? value >> 1 : -(value >> 1))
    value = 0
    shift = 0
  }
  return numbers
}

/** Lines and columns count from 1; each number in the mappings is told from the one before it. */
function sourceLine(mappings: string, line: number, column: number): number | null {
  let source = 0
  for (const [index, row] of mappings.split(';').entries()) {
    let served = 0
    let found: number | null = null
    for (const segment of row.split(',').filter((one) => one !== '')) {
      const [ahead = 0, , down] = numbersIn(segment)
      served += ahead
      if (down === undefined) continue
      source += down
      if (served < column) found = source + 1
    }
    if (index === line - 1) return found
  }
  return null
}

async function where(thrown: unknown): Promise<string> {
  const calls = (thrown instanceof Error ? (thrown.stack ?? '') : '').split('\n')
  const known = new Map<string, Promise<string | null>>()
  const lines: string[] = []
  for (const call of calls) {
    const [, name, other, address = '', line, column] = CALL.exec(call.trim()) ?? []
    const url = URL.parse(address)
    if (url === null || url.origin !== location.origin || !OWN.test(url.pathname)) continue
    const mappings = known.get(url.href) ?? mappingsOf(url.href).catch(() => null)
    known.set(url.href, mappings)
    const own = sourceLine((await mappings) ?? '', Number(line), Number(column)) ?? Number(line)
    lines.push(`at ${name ?? (other === '' ? undefined : other) ?? 'the module'} (app${url.pathname}:${own})`)
    if (lines.length === CALLS_MAX) break
  }
  return lines.join('\n')
}

// The rest of the first script asks by this, and so may the desktop.
Object.defineProperty(globalThis, 'choirWhere', { value: where, configurable: false })
