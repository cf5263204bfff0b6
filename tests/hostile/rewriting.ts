import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { TestHome } from '../support/home.ts'

const path = (text: string) => text as TreePath

export async function holding(own: TestHome, name: string): Promise<Hash | null> {
  // Before the first write there is no computer.
  const found = await own.run('files.stat', { path: path(name), at: null }).catch(() => null)
  return found?.entry?.object ?? null
}

/** Writes other bytes over the same file. */
export async function rewrite(own: TestHome, name: string, bytes: Buffer, caller: 'cli' | 'desktop' = 'cli') {
  const from = await holding(own, name)
  return own.run(
    'files.change',
    { operations: [{ op: 'write', path: path(name), content: { base64: bytes.toString('base64') }, from }] },
    { caller },
  )
}
