import { expect, test } from 'vitest'
import { SPOKEN } from './held-out-spoken.suite.ts'
import { HELD_OUT } from './held-out.suite.ts'
import { RECIPES } from './recipes.ts'
import { understand } from './understand.ts'

const TODAY = '2026-11-15'
const SETS = { written: HELD_OUT, spoken: SPOKEN } as const
type Language = keyof typeof HELD_OUT
type Name = keyof typeof SETS
const LANGUAGES = Object.keys(HELD_OUT) as Language[]
const CASES = (['written', 'spoken'] as const).flatMap((name) =>
  LANGUAGES.map((language): [Name, Language] => [name, language]),
)

/** Understood sentences: what was reached. A change that understands fewer is a step back. */
const FLOOR: Readonly<Record<Name, Readonly<Record<Language, number>>>> = {
  written: { en: 48, de: 49, fr: 47, es: 48 },
  spoken: { en: 14, de: 16, fr: 14, es: 13 },
}

interface Grade {
  readonly sentence: string
  readonly told: readonly string[]
  readonly kind: 'understood' | 'asked' | 'left' | 'wrong'
}

function grade(sentence: string, expected: readonly string[]): Grade {
  const { wishes, asks, leftovers } = understand(sentence, RECIPES, TODAY)
  const did = wishes.map(({ recipe, parameters }) => `${recipe}:${Object.values(parameters).join(',')}`)
  const told = [...did, ...asks.map(() => '?')]
  const isWrong = did.some((wish) => !expected.includes(wish))
  const isAll = JSON.stringify(told) === JSON.stringify(expected) && leftovers.length === 0
  return {
    sentence,
    told: [...told, ...leftovers.map((text) => `…${text}`)],
    kind: isWrong ? 'wrong' : isAll && told.length > 0 ? 'understood' : asks.length > 0 ? 'asked' : 'left',
  }
}

function gradesOf(name: Name, language: Language): Grade[] {
  const { understood, nothing } = SETS[name][language]
  const all = [...understood, ...nothing.map((sentence) => [sentence] as const)]
  return all.map(([sentence, ...expected]) => grade(sentence, expected))
}

test('the held-out set is large enough, and each sentence stands in it once', () => {
  for (const language of LANGUAGES) {
    const { understood, nothing } = HELD_OUT[language]
    expect(understood.length).toBeGreaterThanOrEqual(45)
    expect(nothing.length).toBeGreaterThanOrEqual(15)
    expect(new Set([...understood.map(([sentence]) => sentence), ...nothing]).size).toBe(
      understood.length + nothing.length,
    )
  }
})

test.each(CASES)('%s, %s: no held-out sentence does anything that was not asked for', (name, language) => {
  expect(gradesOf(name, language).filter(({ kind }) => kind === 'wrong')).toEqual([])
})

test.each(CASES)('%s, %s: as many are understood as were when it was measured', (name, language) => {
  const understood = gradesOf(name, language).filter(({ kind }) => kind === 'understood')
  expect(understood.length).toBeGreaterThanOrEqual(FLOOR[name][language])
})

test('the table of what is understood', () => {
  const kinds = ['understood', 'asked', 'left', 'wrong'] as const
  const rows = CASES.map(([name, language]) => {
    const grades = gradesOf(name, language)
    const { understood, nothing } = SETS[name][language]
    const counts = kinds.map((kind) => grades.filter((one) => one.kind === kind).length)
    return [`${name} ${language}`, `${understood.length}+${nothing.length}`, ...counts]
  })
  const table = [['', 'sentences', ...kinds], ...rows]
  process.stdout.write(`${table.map((row) => row.map((cell) => String(cell).padEnd(12)).join('')).join('\n')}\n`)
  expect(rows).toHaveLength(CASES.length)
})
