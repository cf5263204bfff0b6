import type { World } from './world.ts'

export const GROUPS = ['looks', 'new apps', 'changes', 'documents', 'refusals', 'undo'] as const
type Group = (typeof GROUPS)[number]

/** Looks at the files and at the page as a person would; throws a `Problem` with what is wrong. */
export type Check = (world: World) => Promise<void>

/** One thing a person might ask, and how to tell whether they got it. */
export interface EvalTask {
  readonly name: string
  readonly group: Group
  /** Said one after the other; each is waited for. */
  readonly prompts: readonly string[]
  /** What was asked for, the heart of it first: where that is missing, nothing of it was done. */
  readonly wanted: readonly Check[]
  /** What must hold whatever else is right: otherwise harm was done. */
  readonly always?: readonly Check[]
}

/** Something that is not as it was asked for, in words. */
export class Problem extends Error {}

export function must(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Problem(otherwise)
}

const SO_MS = 5000
const LOOK_EVERY_MS = 100

/** Waits until something is so: a page needs a moment after a click. */
export async function soon(isSo: () => Promise<boolean>, otherwise: string, withinMs = SO_MS): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Problem(otherwise)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
