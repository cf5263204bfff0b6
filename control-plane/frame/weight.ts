/**
 * How much a message of the desktop weighs, roughly in bytes. A few large messages do the same harm as thousands of
 * small ones: Firefox copies each through its own process before it lets a click through. An honest page sends a short
 * text or a number.
 */
const ITEM = 16
/** Anything the frame has no use for: files, pictures, ports. What they cost cannot be seen from outside. */
export const STRANGE = 6 * 1024 * 1024
/**
 * Large enough for a text that somebody pastes into the prompt box, even if it is sent again with every letter typed
 * after it.
 */
const BURST = 16 * 1024 * 1024
const PER_MS = (2 * 1024 * 1024) / 1000

/** Stops as soon as it is clear that it is too much. */
export function weigh(data: unknown): number {
  const waiting = [data]
  let weight = 0
  for (let value = waiting.pop(); weight <= BURST; value = waiting.pop()) {
    weight += ITEM
    if (typeof value === 'string') weight += 2 * value.length
    else if (typeof value === 'object' && value !== null) {
      const inside = insideOf(value)
      weight += inside === null ? STRANGE + bytesOf(value) : ITEM * inside.length
      if (inside !== null && weight <= BURST) for (const one of inside) waiting.push(one)
    }
    if (waiting.length === 0) break
  }
  return weight
}

/** Null: no plain array or object. */
function insideOf(value: object): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? Object.entries(value).flat() : null
}

function bytesOf(value: object): number {
  const { byteLength } = ArrayBuffer.isView(value) ? value.buffer : (value as Partial<ArrayBuffer>)
  return byteLength ?? 0
}

export interface Scales {
  /** True: more than an honest page says. */
  add(weight: number, nowMs: number): boolean
}

export function createScales(): Scales {
  let held = 0
  let atMs = 0
  return {
    add(weight, nowMs) {
      held = Math.max(0, held - (nowMs - atMs) * PER_MS) + weight
      atMs = nowMs
      return held > BURST
    },
  }
}
