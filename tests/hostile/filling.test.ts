import type { TreePath } from '@choiros/contract/path.ts'
import { createUploads, UNNAMED_MS_MAX } from '@choiros/supervisor/session/uploads.ts'
import { describe, expect, test } from 'vitest'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

const MIB = 1024 * 1024

async function* bytes(seed: number, size: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; sent += MIB) yield Buffer.alloc(Math.min(MIB, size - sent), seed)
}

describe('[L11] a desktop that fills and freezes', () => {
  test('[L11] what is uploaded and becomes no file is bounded, and is gone after minutes; what became a file stays', async () => {
    const own = openTestHome(temporaryFolder())
    await own.run('computer.add', { name: 'one' as never })
    const computer = await own.computer()
    const uploads = createUploads(8 * MIB)
    let nowMs = Date.now()
    const kept = await uploads.receive(computer, bytes(1, 3 * MIB), nowMs)
    await own.run('files.change', {
      operations: [
        {
          op: 'write',
          path: 'artifacts/kept.bin' as TreePath,
          content: { object: kept.hash, size: kept.size },
          from: null,
        },
      ],
    })
    const lost = await uploads.receive(computer, bytes(2, 5 * MIB), nowMs)
    await expect(uploads.receive(computer, bytes(3, 4 * MIB), nowMs)).rejects.toMatchObject({ code: 'quota.exceeded' })
    // Two at once do not share what is left for one.
    const both = await Promise.allSettled([
      uploads.receive(computer, bytes(4, 2 * MIB), nowMs),
      uploads.receive(computer, bytes(5, 2 * MIB), nowMs),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    nowMs += UNNAMED_MS_MAX + 1000
    await uploads.receive(computer, bytes(6, 4 * MIB), nowMs)
    expect([await computer.objects.has(kept.hash), await computer.objects.has(lost.hash)]).toEqual([true, false])
    await own.close()
  })

  test(
    '[L8] an undo that must merge hundreds of files lets others have their turn, and a desktop may ask for few such plans',
    { timeout: 120_000 },
    async () => {
      const own = openTestHome(temporaryFolder())
      const text = (round: number, file: number) =>
        Array.from(
          { length: 900 },
          (_, line) => `${line % 2 === 0 ? line : `${round}.${(line * 7919 + file) % 97}`}`,
        ).join('\n')
      for (let round = 0; round < 3; round++) {
        const operations = []
        for (let file = 0; file < 150; file++) {
          const path = `artifacts/many/${file}.txt` as TreePath
          const from = round === 0 ? null : ((await own.run('files.stat', { path, at: null })).entry?.object ?? null)
          operations.push({ op: 'write' as const, path, content: { text: text(round, file) }, from })
        }
        await own.run('files.change', { operations })
      }
      const { seq } = (await own.computer()).head()
      let longestMs = 0
      let last = performance.now()
      const beat = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - last)
        last = performance.now()
      }, 5)
      const started = performance.now()
      const plan = own.run('undo.preview', { target: { kind: 'event', seq: seq - 1 } } as never)
      await plan.catch(() => {})
      const tookMs = performance.now() - started
      clearInterval(beat)
      // A share of the whole, never a time: a busy machine slows both.
      expect(longestMs).toBeLessThan(Math.max(tookMs / 3, 300))
      const asked = await Promise.allSettled(
        Array.from({ length: 60 }, () =>
          own.run('undo.preview', { target: { kind: 'newest', scope: 'any' } }, { caller: 'desktop' }),
        ),
      )
      const refused = asked.filter((one) => one.status === 'rejected')
      expect(refused.length).toBeGreaterThanOrEqual(10)
      expect(refused[0]).toMatchObject({ reason: { code: 'rate.limited' } })
      await own.close()
    },
  )
})
