import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CATALOG } from '@choiros/contract/catalog.ts'

test('History has words for every event that there is, and shows none by its type', () => {
  const words = readFileSync(new URL('../../desktop/apps/history/words.ts', import.meta.url), 'utf8')
  const unnamed = CATALOG.map(({ type }) => type).filter((type) => !words.includes(`  '${type}': `))
  expect(unnamed).toEqual([])
})
