import { describe, expect, onTestFinished, test } from 'vitest'
import { hasCode } from '@choiros/contract/error.ts'
import type { Ownership } from './ownership.ts'

/** A place that the next holder can connect to when the one before has closed. */
export interface OwnershipPlace {
  connect(): Ownership
}

const isHeld = (error: unknown) => hasCode(error, 'computer.held')

/** Every rule of SPEC.md that holds for all adapters. */
export function testOwnership(name: string, place: () => OwnershipPlace): void {
  const connected = (here: OwnershipPlace): Ownership => {
    const ownership = here.connect()
    onTestFinished(() => ownership.close())
    return ownership
  }

  describe(`ownership: ${name}`, () => {
    test('[OW1] a computer that is held is not given again, until it is released', async () => {
      const ownership = connected(place())
      const lease = await ownership.take('a')
      await expect(ownership.take('a')).rejects.toSatisfy(isHeld)
      await ownership.take('b')
      await lease.release()
      await lease.release()
      expect((await ownership.take('a')).epoch).toBeGreaterThanOrEqual(lease.epoch)
      await lease.release()
      await expect(ownership.take('a'), 'what was released is the next holder’s').rejects.toSatisfy(isHeld)
    })

    test('[OW1] of many who ask at once, one gets it', async () => {
      const ownership = connected(place())
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => ownership.take('a')))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    test('[OW2] who comes after another holder has a higher epoch, and closing lets go of everything', async () => {
      const here = place()
      let before = 0
      for (let holder = 0; holder < 4; holder++) {
        const ownership = here.connect()
        const [one, two] = [await ownership.take('a'), await ownership.take('b')]
        expect(Math.min(one.epoch, two.epoch)).toBeGreaterThan(before)
        before = Math.max(one.epoch, two.epoch)
        await ownership.close()
      }
    })

    test('[OW3] a lease that was not lost does not say so', async () => {
      const lease = await connected(place()).take('a')
      expect(lease.lost.aborted).toBe(false)
    })
  })
}
