import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ChoirError } from '@choiros/contract/error.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { seedOf } from '../support/random.ts'
import { exportOf, importCopy } from '../support/transfer.ts'
import { fillHome } from './damage.ts'
import { createSeeded, type Seeded } from './seeded.ts'

removeFoldersAfterEach()

/** What a disk, a cable or a careless program does to a file. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer, random: Seeded) => Buffer>> = {
  'a flipped bit': (bytes, random) => {
    const position = random.below(bytes.length)
    bytes[position] = (bytes[position] ?? 0) ^ (1 << random.below(8))
    return bytes
  },
  'a random byte': (bytes, random) => {
    bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
  'a flipped bit in the first page': (bytes, random) => {
    const position = random.below(4096)
    bytes[position] = (bytes[position] ?? 0) ^ (1 << random.below(8))
    return bytes
  },
  'a page of zeroes': (bytes, random) => bytes.fill(0, ...pageOf(bytes, random)),
  'a page of noise': (bytes, random) => {
    const [start, end] = pageOf(bytes, random)
    random.bytes(end - start).copy(bytes, start)
    return bytes
  },
  'two pages swapped': (bytes, random) => {
    const [a] = pageOf(bytes, random)
    const [b] = pageOf(bytes, random)
    const first = Buffer.from(bytes.subarray(a, a + 4096))
    bytes.copy(bytes, a, b, b + 4096)
    first.copy(bytes, b)
    return bytes
  },
  'a cut': (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'more at the end': (bytes, random) => Buffer.concat([bytes, random.bytes(1 + random.below(10_000))]),
}

function pageOf(bytes: Buffer, random: Seeded): [number, number] {
  const start = random.below(Math.floor(bytes.length / 4096)) * 4096
  return [start, start + 4096]
}

const seed = seedOf('damaged exports')
const ROUNDS = 60

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`an export with ${name} is refused with a code and leaves nothing, or is imported as it was: ${ROUNDS} times (seed ${seed})`, async () => {
    const own = openTestHome(temporaryFolder())
    await fillHome(own)
    const whole = await exportOf(own)
    const bytes = readFileSync(whole)
    const { hash } = await own.run('tree', { at: null })
    const random = createSeeded(seed)
    const left = () => readdirSync(join(own.home.folder, 'tmp'))
    const before = left()
    const wrong: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const file = join(temporaryFolder(), 'damaged')
      writeFileSync(file, damage(Buffer.from(bytes), random))
      const computers = readdirSync(join(own.home.folder, 'computers')).length
      const outcome = await importCopy(own, file, `damaged-${round}`).then(
        ({ name: made }) => made,
        (error: unknown) => (error instanceof ChoirError ? error : { bug: error }),
      )
      const isRefusal = outcome instanceof ChoirError && /^import\.(foreign|corrupt)$|^event\.newer$/.test(outcome.code)
      const isWhole =
        typeof outcome === 'string' && (await own.run('tree', { at: null }, { computer: outcome })).hash === hash
      if (!isRefusal && !isWhole) wrong.push([round, outcome])
      if (isRefusal && readdirSync(join(own.home.folder, 'computers')).length !== computers)
        wrong.push([round, 'a computer was left behind'])
      if (left().length !== before.length) wrong.push([round, left()])
    }
    expect(wrong).toEqual([])
    await own.close()
  })
}
