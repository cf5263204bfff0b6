import { setTimeout as delay } from 'node:timers/promises'
import type { RunView } from '@choiros/contract/run-view.ts'
import { choirHere } from './choir.ts'

/** What the command line would say about a home's only computer. */
export function lookAt(home: string) {
  const head = async (): Promise<number> => {
    const { computers } = (await choirHere(home, ['status', '--json'])).json() as {
      computers: { head: { seq: number } | null }[]
    }
    return computers[0]?.head?.seq ?? 0
  }
  return {
    head,
    /** Resolves when the verdicts and checkpoints of earlier deeds are in the log, too. */
    async quiet(): Promise<void> {
      for (let before = -1, now = await head(); before !== now; before = now, now = await head()) await delay(1500)
    },
    runs: async () => (await choirHere(home, ['runs', '--json'])).json() as RunView[],
    cat: async (path: string) => (await choirHere(home, ['cat', path])).text,
    treeHash: async () => ((await choirHere(home, ['tree', '--json'])).json() as { hash: string }).hash,
    link: async () => (await choirHere(home, ['link'])).text.trim(),
  }
}
