import { ChoirError } from '@choiros/contract/error.ts'
import type { Lease, Ownership } from './ownership.ts'

/**
 * A place that several holders ask, as they would ask a server. `revoke` takes a computer from its holder. For tests.
 */
export function createMemoryOwnership() {
  const held = new Map<string, { readonly lost: AbortController }>()
  let epoch = 0
  const connect = (): Ownership => {
    const own = new Map<string, { readonly lost: AbortController }>()
    return {
      async take(computer): Promise<Lease> {
        if (held.has(computer)) throw new ChoirError('computer.held', `the computer ${computer} is held`)
        const lease = { lost: new AbortController() }
        held.set(computer, lease)
        own.set(computer, lease)
        const release = async () => {
          if (held.get(computer) === lease) held.delete(computer)
        }
        return { epoch: ++epoch, lost: lease.lost.signal, release }
      },
      async close() {
        for (const [computer, lease] of own) if (held.get(computer) === lease) held.delete(computer)
      },
    }
  }
  return {
    connect,
    revoke(computer: string) {
      held.get(computer)?.lost.abort()
      held.delete(computer)
    },
  }
}
