import type { LookStep } from '@choiros/contract/look.ts'
import { readKey } from './keys.ts'
import { findNamed, type AxNode } from './outline.ts'

export type Send = <Result = Record<string, unknown>>(method: string, params?: object) => Promise<Result>

/** Does one thing in a page. Rejects with words that whoever asked for it can do something with. */
export async function perform(
  step: Exclude<LookStep, { wait: number }>,
  send: Send,
  nodes: () => Promise<AxNode[]>,
): Promise<void> {
  if ('type' in step) return void (await send('Input.insertText', { text: step.type }))
  if ('press' in step) return press(step.press, send)
  const found = findNamed(await nodes(), step.click, step.role ?? null)
  if (found?.backendDOMNodeId === undefined)
    throw new Error(`there is nothing called ${JSON.stringify(step.click)} to click`)
  const { backendDOMNodeId } = found
  await send('DOM.scrollIntoViewIfNeeded', { backendNodeId: backendDOMNodeId }).catch(() => {})
  const { model } = await send<{ model: { border: number[] } }>('DOM.getBoxModel', { backendNodeId: backendDOMNodeId })
  const [left = 0, top = 0, , , right = 0, bottom = 0] = model.border
  const at = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 }
  await send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at, button: 'none' })
  await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
  await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
}

async function press(keys: string, send: Send): Promise<void> {
  const { text, ...event } = readKey(keys)
  await send('Input.dispatchKeyEvent', {
    type: text === null ? 'rawKeyDown' : 'keyDown',
    ...event,
    ...(text === null ? {} : { text }),
  })
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}
