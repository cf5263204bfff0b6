import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MUTATIONS } from './mutations.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

/** They are carried out in the long lane; code that moved away from under one should be noticed at once. */
test('every mutation finds the code that it breaks', () => {
  const lost = MUTATIONS.filter(({ file, find }) => !readFileSync(join(CHECKOUT, file), 'utf8').includes(find))
  expect(lost.map(({ law, file, find }) => ({ law, file, find }))).toEqual([])
})
