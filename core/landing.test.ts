import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { checkLanding, hashSeen, type LandingFacts } from './landing.ts'
import { readTreeMap } from './tree.ts'

const file = (text: string): Entry => ({ kind: 'file', mode: '644', object: sha256(text), size: text.length })
const change = (path: string, from: Entry | null): Change => ({
  path: path as TreePath,
  from,
  to: file('new'),
  movedFrom: null,
})

const facts: LandingFacts = {
  run: { status: 'running' },
  receipts: [
    { verifier: 'types', ok: 1 },
    { verifier: 'transform', ok: 1 },
    { verifier: 'policy', ok: true },
  ],
  tree: readTreeMap(new Map([['a' as TreePath, file('old')]])),
}

function refusal(given: Partial<LandingFacts>, ...changes: Change[]): string {
  const before = { ...facts, ...given }
  try {
    checkLanding(before, { changes, verified: { tree: sha256('tree'), seen: hashSeen(facts.tree, changes) } })
    return 'lands'
  } catch (error) {
    return error instanceof ChoirError ? error.code : String(error)
  }
}

describe('[L12] a landing', () => {
  test('lands what was verified, onto what it was made for', () => {
    expect(refusal({}, change('a', file('old')), change('b', null))).toBe('lands')
  })

  test('without a receipt for its tree, or with one that says no, does not land', () => {
    expect(refusal({ receipts: [] })).toBe('run.unverified')
    expect(refusal({ receipts: [{ verifier: 'policy', ok: true }] }, change('app/x.ts', null))).toBe('run.unverified')
    expect(refusal({ receipts: [...facts.receipts, { verifier: 'build', ok: 0 }] })).toBe('run.unverified')
  })

  test('of a run that is not there or has ended does not land', () => {
    expect(refusal({ run: null })).toBe('run.unknown')
    expect(['landed', 'discarded', 'cancelled', 'reverted'].map((status) => refusal({ run: { status } }))).toEqual(
      Array.from({ length: 4 }, () => 'run.unknown'),
    )
  })

  test('onto files that have changed since, or into ignored folders, does not land', () => {
    expect(refusal({}, change('a', file('older')))).toBe('file.conflict')
    expect(refusal({}, change('a', null))).toBe('file.conflict')
    expect(refusal({}, change('b', file('old')))).toBe('file.conflict')
    expect(refusal({}, change('app/dist/x', null))).toBe('path.ignored')
  })

  test('is refused where code it was not verified with has changed, but not where only documents have', () => {
    const with_ = (path: string) =>
      readTreeMap(
        new Map(
          [['a', file('old')] as const, [path, file('theirs')] as const].map(([at, entry]) => [at as TreePath, entry]),
        ),
      )
    expect(refusal({ tree: with_('app/other.ts') }, change('app/x.ts', null))).toBe('file.conflict')
    expect(refusal({ tree: with_('artifacts/letter.md') }, change('app/x.ts', null))).toBe('lands')
  })
})
