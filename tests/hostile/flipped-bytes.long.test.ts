import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { removeFoldersAfterEach } from '../support/home.ts'
import { seedOf } from '../support/random.ts'
import { bugsOf, filesBelow, liveWithFlip, makeTemplate, type Verdict } from './flipped-home.ts'
import { createSeeded } from './seeded.ts'

removeFoldersAfterEach()

const seed = seedOf('flipped bytes')
const ROUNDS = Number(process.env.ROUNDS ?? 100)

async function rounds(
  files: (place: string) => string[],
  check: (verdict: Verdict, tree: string) => string[],
  before?: (place: string) => void,
): Promise<string[]> {
  const template = await makeTemplate()
  const random = createSeeded(seed)
  const wrong: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const verdict = await liveWithFlip(template, files, random, before)
    const found = [...bugsOf(verdict), ...check(verdict, template.tree)]
    // Where the home's own key is damaged nothing in it opens, and it says so with a code.
    if (verdict.outcomes.open === 'ok' && (!verdict.other.ok || verdict.other.tree === ''))
      found.push('the other computer is harmed')
    wrong.push(...found.map((what) => `${verdict.where}: ${what}`))
  }
  return wrong
}

describe(`a flipped bit (seed ${seed})`, () => {
  test('in the log: nothing is harmed, or verify says no and every refusal has a code', async () => {
    const wrong = await rounds(
      (place) => [join(place, PLACES.log)],
      ({ verify, tree, outcomes }, expected) => {
        if (verify === null) return outcomes.open === 'ok' ? ['verify gave no answer'] : []
        const refused = Object.entries(outcomes).flatMap(([name, what]) =>
          what === 'ok' ? [] : [`verify is content, but ${name} is refused: ${what}`],
        )
        return verify.ok ? [...(tree === expected ? [] : ['verify is content with another tree']), ...refused] : []
      },
    )
    expect(wrong).toEqual([])
  })

  test('in the tables: they are made again, and nobody notices', async () => {
    const wrong = await rounds(
      (place) => [join(place, PLACES.state)],
      ({ verify, tree, outcomes }, expected) => [
        ...(tree === expected ? [] : ['another tree']),
        ...(verify?.ok === true ? [] : [`verify: ${JSON.stringify(verify?.problems)}`]),
        ...Object.entries(outcomes).flatMap(([name, what]) => (what === 'ok' ? [] : [`${name} was refused: ${what}`])),
      ],
    )
    expect(wrong).toEqual([])
  })

  test('in the tables after a crash, when nothing vouches for them: every refusal has a code, and verify has them made again', async () => {
    const wrong = await rounds(
      (place) => [join(place, PLACES.state)],
      ({ verify, treeAfter }, expected) => [
        ...(treeAfter === expected ? [] : ['another tree']),
        ...(verify?.ok === true ? [] : [`verify: ${JSON.stringify(verify?.problems)}`]),
      ],
      (place) => rmSync(join(place, `${PLACES.state}.seal`)),
    )
    expect(wrong).toEqual([])
  })

  test('anywhere else in the home: nothing is harmed, or every refusal has a code', async () => {
    const wrong = await rounds(
      (place) =>
        filesBelow(join(place, '..', '..')).filter(
          (file) => !file.endsWith('log.sqlite') && !file.endsWith('state.sqlite') && !file.includes(`/objects/`),
        ),
      ({ tree }, expected) => (tree === null || tree === expected ? [] : ['another tree']),
    )
    expect(wrong).toEqual([])
  })
})
