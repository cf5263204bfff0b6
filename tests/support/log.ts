import { setTimeout as delay } from 'node:timers/promises'
import type { RunView } from '@choiros/contract/run-view.ts'
import { choir } from './choir.ts'

/** What the command line says about a home's only computer. */
export function lookAt(home: string) {
  const head = async (): Promise<number> => {
    const { computers } = (await choir(home, ['status', '--json'])).json() as { computers: { head: { seq: number } | null }[] }
    return computers[0]?.head?.seq ?? 0
  }
  return {
    head,
    /** When verdicts and checkpoints of what was done before are in the log too. */
    async quiet(): Promise<void> {
      for (let before = -1, now = await head(); before !== now; before = now, now = await head()) await delay(1500)
    },
    runs: async () => (await choir(home, ['runs', '--json'])).json() as RunView[],
    cat: async (path: string) => (await choir(home, ['cat', path])).text,
    treeHash: async () => ((await choir(home, ['tree', '--json'])).json() as { hash: string }).hash,
    link: async () => (await choir(home, ['link'])).text.trim(),
  }
}
