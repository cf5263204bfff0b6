import { describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change, Entry } from '@choiros/contract/change.ts'
import type { ChoirError } from '@choiros/contract/error.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { createQuota, growthBy, type Asker, type Growth, type Quotas, type Totals } from './quota.ts'

const QUOTAS: Quotas = {
  treeFilesMax: 10,
  treeBytesMax: 1000,
  versionsBytesMax: 1000,
  historyBytesMax: 1000,
  historyReserveBytes: 100,
}
const EMPTY: Totals = { files: 0, bytes: 0, versions: 0, history: 0 }
const entry = (name: string, size: number): Entry => ({ kind: 'file', mode: '644', object: sha256(name), size })
const change = (from: Entry | null, to: Entry | null): Change => ({ path: 'a' as TreePath, from, to, movedFrom: null })

function codeOf(
  growth: Partial<Totals> & { added?: number; before?: Partial<Totals> },
  asker: Partial<Asker> = {},
): string {
  const { added = 0, before = {}, ...after } = growth
  const whole: Growth = { before: { ...EMPTY, ...before }, after: { ...EMPTY, ...before, ...after }, added }
  try {
    createQuota(() => 0, QUOTAS).check(whole, { via: 'cli', isUrgent: false, ...asker })
    return 'ok'
  } catch (error) {
    return (error as ChoirError).code
  }
}

describe('how much a change takes', () => {
  const by = (changes: Change[], kept: Record<string, { size: number; live: number }> = {}, erased: string[] = []) =>
    growthBy(
      { ...EMPTY, versions: 100 },
      { changes, erased: erased.map((name) => sha256(name)), bytes: 7 },
      (object) => {
        const known = Object.entries(kept).find(([name]) => sha256(name) === object)
        return known?.[1] ?? null
      },
    )

  test('a new file adds its bytes, a new version also leaves the old one behind', () => {
    expect(by([change(null, entry('new', 30))])).toMatchObject({
      added: 30,
      after: { files: 1, bytes: 30, versions: 100, history: 7 },
    })
    expect(by([change(entry('old', 20), entry('new', 30))], { old: { size: 20, live: 1 } })).toMatchObject({
      added: 30,
      after: { files: 0, bytes: 10, versions: 120 },
    })
  })

  test('what another path still holds is not old, and what is brought back is no longer', () => {
    expect(by([change(entry('old', 20), null)], { old: { size: 20, live: 2 } })).toMatchObject({
      added: 0,
      after: { versions: 100 },
    })
    expect(by([change(null, entry('old', 20))], { old: { size: 20, live: 0 } })).toMatchObject({
      added: 0,
      after: { versions: 80 },
    })
  })

  test('a rename takes nothing, and what is erased gives back', () => {
    expect(
      by([change(entry('old', 20), null), change(null, entry('old', 20))], { old: { size: 20, live: 1 } }),
    ).toMatchObject({
      added: 0,
      after: { versions: 100, files: 0 },
    })
    expect(by([], { old: { size: 20, live: 0 } }, ['old', 'unknown'])).toMatchObject({ after: { versions: 80 } })
    expect(by([change(entry('old', 20), null)], { old: { size: 20, live: 1 } }, ['old'])).toMatchObject({
      after: { versions: 100 },
    })
  })
})

describe('[L8] [L11] quotas', () => {
  test('old versions end at their quota, for programs a tenth before', () => {
    expect(codeOf({ versions: 950, added: 1 })).toBe('ok')
    for (const via of ['desktop', 'agent', 'terminal'] as const) {
      expect(codeOf({ versions: 890, added: 1 }, { via })).toBe('ok')
      expect(codeOf({ versions: 950, added: 1 }, { via })).toBe('quota.exceeded')
    }
    expect(codeOf({ versions: 1001, added: 1 })).toBe('quota.exceeded')
  })

  test('what adds nothing is never refused for them, nor what puts the person back in charge', () => {
    expect(codeOf({ versions: 5000 })).toBe('ok')
    expect(codeOf({ versions: 5000, added: 1 }, { isUrgent: true })).toBe('ok')
  })

  test('the log ends at its quota, with a reserve for the person', () => {
    expect(codeOf({ history: 950 })).toBe('ok')
    expect(codeOf({ history: 950 }, { via: 'desktop' })).toBe('quota.exceeded')
    expect(codeOf({ history: 1001 })).toBe('quota.exceeded')
    expect(codeOf({ history: 1001 }, { isUrgent: true })).toBe('ok')
    expect(codeOf({ history: 1101 }, { isUrgent: true })).toBe('quota.exceeded')
  })

  test('a desktop is also held to so much at a time, and told how long to wait; the person is not', () => {
    let nowMs = 0
    const mebibyte = 1024 * 1024
    const quota = createQuota(() => nowMs, { ...QUOTAS, versionsBytesMax: 1e12, historyBytesMax: 1e12 })
    const growth = (versions: number): Growth => ({ before: EMPTY, after: { ...EMPTY, versions }, added: versions })
    const asDesktop = (bytes: number) => quota.check(growth(bytes), { via: 'desktop', isUrgent: false })
    asDesktop(200 * mebibyte)
    expect(() => asDesktop(100 * mebibyte)).toThrow(
      expect.objectContaining({ code: 'rate.limited', details: { retryAfterMs: 44_000 } }),
    )
    quota.check(growth(1000 * mebibyte), { via: 'frame', isUrgent: false })
    nowMs += 44_000
    asDesktop(100 * mebibyte)
    nowMs += 1e9
    asDesktop(400 * mebibyte) // More than the burst: it passes alone, and what follows has to wait for it.
    expect(() => asDesktop(1)).toThrow(expect.objectContaining({ code: 'rate.limited' }))
  })
})
