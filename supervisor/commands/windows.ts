import { WindowClose, WindowOpen, WindowSettle } from '@choiros/contract/events/windows.ts'
import { assert, ChoirError } from '@choiros/contract/error.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { userDraft, type ComputerCommand } from './context.ts'

export const openWindow: ComputerCommand<'window.open'> = async (context, input) => {
  const event = await context.computer.append(({ state }) => {
    if (state.windows().length >= LIMITS.windowsMax)
      throw new ChoirError(
        'quota.exceeded',
        `at most ${LIMITS.windowsMax} windows can be open at once: close one first`,
      )
    return { draft: userDraft(context, WindowOpen, input) }
  })
  assert(event !== null, 'opening a window writes an event')
  return { seq: event.seq }
}

export const closeWindow: ComputerCommand<'window.close'> = async (context, input) => {
  const event = await context.computer.append(({ state }) => {
    checkOpen(state.windows(), input.window)
    return { draft: userDraft(context, WindowClose, input) }
  })
  assert(event !== null, 'closing a window writes an event')
  return { seq: event.seq }
}

export const listWindows: ComputerCommand<'window.list'> = async ({ computer }) => computer.queries.windows()

export const settleWindow: ComputerCommand<'window.settle'> = (context, input) =>
  context.session.onlyHere.moving.write(`${input.window} ${input.device}`, input, async (latest) => {
    const event = await context.computer.append(({ state }) => {
      checkOpen(state.windows(), latest.window)
      return { draft: userDraft(context, WindowSettle, latest) }
    })
    assert(event !== null, 'settling a window writes an event')
    return { seq: event.seq }
  })

function checkOpen(windows: readonly { window: string }[], window: string): void {
  if (!windows.some((open) => open.window === window))
    throw new ChoirError('path.unknown', `there is no window ${window}`)
}
