import { expect, test } from 'vitest'
import { LookStep } from '@choiros/contract/look.ts'
import { SEE_DESCRIPTION, seenWords } from './seen-words.ts'

const nothing = { findings: [], outline: '', console: [], picture: null, notes: [], stopped: null }

test('whoever may look is told of every kind of step, and what becomes of a name and of a text', () => {
  const kinds = LookStep.options.flatMap(({ shape }) => Object.keys(shape))
  expect(kinds.filter((kind) => !new RegExp(String.raw`\b${kind}\b`).test(SEE_DESCRIPTION))).toEqual([])
  expect(SEE_DESCRIPTION).toContain('the first that contains it')
  expect(SEE_DESCRIPTION).toContain('type into what has the focus')
})

test('what a step did otherwise than was asked stands before everything else, as does where it stopped', () => {
  const told = seenWords({
    ...nothing,
    notes: ['step 1: clicked link "Saved"'],
    stopped: 'step 2: no',
    outline: 'main',
  })
  expect(told).toBe(
    ['Mind:', '- step 1: clicked link "Saved"', 'Stopped at step 2: no', 'No errors.', 'What is there:', 'main'].join(
      '\n',
    ),
  )
  expect(seenWords({ ...nothing, outline: 'main' })).toBe('No errors.\nWhat is there:\nmain')
})
