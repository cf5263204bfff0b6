import { WindowClose, WindowOpen, WindowSettle } from '@choiros/contract/catalog.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import type { Event } from '@choiros/contract/event.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { Computer } from '../computer/computer.ts'
import { userDraft, type ComputerCommand, type ComputerContext } from './context.ts'

/** Where a window is dropped is worth keeping; every pixel on the way is not. Within this time only the last place of a window is written. */
const SETTLE_EVERY_MS = 250

type SettleInput = Parameters<typeof settleWindow>[1]

interface Settling {
  latest: SettleInput
  readonly written: Promise<Event>
}

const settling = new WeakMap<Computer, Map<string, Settling>>()

export const openWindow: ComputerCommand<'window.open'> = async (context, input) => {
  const event = await context.computer.writer.submit(({ state }) => {
    if (state.windows().length >= LIMITS.windowsMax)
      throw new ChoirError('quota.exceeded', `at most ${LIMITS.windowsMax} windows can be open at once: close one first`)
    return { draft: userDraft(context, WindowOpen, input) }
  })
  assert(event !== null, 'opening a window writes an event')
  return { seq: event.seq }
}

export const closeWindow: ComputerCommand<'window.close'> = async (context, input) => {
  const event = await context.computer.writer.submit(({ state }) => {
    checkOpen(state.windows(), input.window)
    return { draft: userDraft(context, WindowClose, input) }
  })
  assert(event !== null, 'closing a window writes an event')
  return { seq: event.seq }
}

export const listWindows: ComputerCommand<'window.list'> = async ({ computer }) => computer.state.queries.windows()

export const settleWindow: ComputerCommand<'window.settle'> = async (context, input) => {
  const key = `${input.window} ${input.device}`
  const perComputer = settling.get(context.computer) ?? new Map<string, Settling>()
  settling.set(context.computer, perComputer)
  const waiting = perComputer.get(key)
  if (waiting !== undefined) {
    waiting.latest = input
    return { seq: (await waiting.written).seq }
  }
  const entry: Settling = { latest: input, written: delay(SETTLE_EVERY_MS).then(() => writeSettled(context, perComputer, key)) }
  perComputer.set(key, entry)
  return { seq: (await entry.written).seq }
}

async function writeSettled(context: ComputerContext, perComputer: Map<string, Settling>, key: string): Promise<Event> {
  const entry = perComputer.get(key)
  assert(entry !== undefined, 'what settles was waiting')
  perComputer.delete(key)
  const event = await context.computer.writer.submit(({ state }) => {
    checkOpen(state.windows(), entry.latest.window)
    return { draft: userDraft(context, WindowSettle, entry.latest) }
  })
  assert(event !== null, 'settling a window writes an event')
  return event
}

function checkOpen(windows: readonly { window: string }[], window: string): void {
  if (!windows.some((open) => open.window === window)) throw new ChoirError('path.unknown', `there is no window ${window}`)
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
