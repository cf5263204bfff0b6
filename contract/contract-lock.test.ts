import { expect, test } from 'vitest'
import { z } from 'zod'
import { canonicalText, sha256 } from './canonical.ts'
import { CATALOG, definitionOf } from './catalog.ts'
import { Manifest } from './change.ts'
import { COMMANDS } from './commands.ts'
import { ERROR_CODES } from './error.ts'
import { Envelope } from './event.ts'
import { LIMITS } from './limits.ts'
import { IGNORED_NAMES } from './path.ts'

/** The shape as other programs would read it. Rules that JSON Schema cannot express (paths) have tests of their own. */
function digest(shape: z.ZodType): string {
  return sha256(canonicalText(z.toJSONSchema(shape)))
}

test('[CT1] what is stored or decides who may do what never changes shape: make a new version instead', async () => {
  const events = CATALOG.map((event) => `${event.type}@${event.version} ${digest(event.data)}`).sort()
  const commands = Object.entries(COMMANDS).map(([name, { from }]) => `command ${name} from ${from.join(' ')}`)
  const rest = [
    `envelope ${digest(Envelope)}`,
    `manifest ${digest(Manifest)}`,
    `ignored ${[...IGNORED_NAMES].sort().join(' ')}`,
  ]
  const lock = [...events, ...commands.sort(), ...rest].join('\n') + '\n'
  await expect(lock).toMatchFileSnapshot(
    'contract.lock',
    'a changed line breaks stored logs: make a new version and an upcast instead',
  )
})

test('[CT1] the catalog lists each version once, and a type’s newest version is what it is known by', () => {
  const names = CATALOG.map(({ type, version }) => `${type}@${version}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { type, version } of CATALOG) expect(definitionOf(type)?.version).toBeGreaterThanOrEqual(version)
  expect(definitionOf('never.heard')).toBeUndefined()
})

test('[CT1] every type is a subject: lower-case, dotted, without wildcards', () => {
  for (const { type } of CATALOG) expect(Envelope.shape.type.safeParse(type).success).toBe(true)
  for (const type of ['*', '>', 'a.*', 'A', 'a..b', '.a', 'a.', 'a b', ''])
    expect(Envelope.shape.type.safeParse(type).success).toBe(false)
})

test('[CT1] every stored shape refuses what it does not know', () => {
  for (const { type, data } of CATALOG) {
    expect([type, (z.toJSONSchema(data) as { additionalProperties?: unknown }).additionalProperties]).toEqual([
      type,
      false,
    ])
  }
})

test('[CT1] inline changes of ordinary paths fit into an event; longer ones need the manifest', () => {
  const entry = { kind: 'file', mode: '644', object: sha256(''), size: LIMITS.objectBytesMax }
  const ordinary = canonicalText({ path: 'a'.repeat(60), from: entry, to: entry, movedFrom: null })
  expect(ordinary.length * LIMITS.inlineChangesMax).toBeLessThan(LIMITS.eventBytesMax)
})

test('[CT1] no error code is listed twice, and each is noun.problem', () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length)
  expect(ERROR_CODES.filter((code) => code !== 'bug' && !/^[a-z]+\.[a-z-]+$/.test(code))).toEqual([])
})
