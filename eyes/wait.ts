import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { LookStep } from '@choiros/contract/look.ts'
import { findNamed, type AxNode } from './outline.ts'

const LOOK_EVERY_MS = 100

/** What can be asked of a page that is waited for. */
export interface Waited {
  nodes(): Promise<readonly AxNode[]>
  /** All that is written in it. */
  text(): Promise<string>
}

/**
 * Waits in one page, as often as it is asked to, but not longer in all than a look may wait: otherwise twenty steps
 * would be looked at for minutes by whoever pays for the time.
 */
export function createWaiter(
  page: Waited,
  waitMsMax: number = LIMITS.lookWaitMsMax,
): (step: Extract<LookStep, { wait: number }>) => Promise<void> {
  let leftMs = waitMsMax
  return async ({ wait, for: sought, role }) => {
    const startMs = performance.now()
    const waitMs = Math.min(wait, leftMs)
    const isThere = sought === undefined ? async () => false : () => hasAppeared(page, sought, role ?? null)
    const found = await until(isThere, startMs + waitMs)
    leftMs = Math.max(0, leftMs - (performance.now() - startMs))
    if (sought !== undefined && !found)
      throw new Error(`${JSON.stringify(sought)} did not appear within ${Math.round(waitMs)} ms`)
    if (sought === undefined && waitMs < wait)
      throw new Error(`all that one look waits may be ${waitMsMax} ms together`)
  }
}

const STILL_LOOK_EVERY_MS = 20
/** A page that has shown nothing new for so long is still. */
const QUIET_MS = 120
/** How long it is waited for one time. */
const STILL_MS_MAX = 1500
/** What a page is given also when the time for it is used up: to show what a step has done to it. */
const MOMENT_MS = 200

/**
 * Waits until a page is still, as often as it is asked to. One that never is, a clock or a game, is waited for no
 * longer in all than a look allows: otherwise its twenty steps would take longer than anybody waits for the answer.
 * `quietMs`: for how long it has shown nothing new.
 */
export function createSettler(quietMs: () => Promise<number>, stillMsMax: number): () => Promise<void> {
  let leftMs = stillMsMax
  return async () => {
    const startMs = performance.now()
    const deadlineMs = startMs + Math.max(MOMENT_MS, Math.min(STILL_MS_MAX, leftMs))
    while (performance.now() < deadlineMs) {
      if ((await quietMs()) > QUIET_MS) break
      await delay(STILL_LOOK_EVERY_MS)
    }
    leftMs -= performance.now() - startMs
  }
}

async function until(isThere: () => Promise<boolean>, deadlineMs: number): Promise<boolean> {
  for (;;) {
    if (await isThere()) return true
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) return false
    await delay(Math.min(LOOK_EVERY_MS, leftMs))
  }
}

/** A text may lie across elements, where no element has it for its name; a name may be written nowhere. */
async function hasAppeared({ nodes, text }: Waited, sought: string, role: string | null): Promise<boolean> {
  if (findNamed(await nodes(), sought, role) !== null) return true
  return role === null && plain(await text()).includes(plain(sought))
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
