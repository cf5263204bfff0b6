import type { LookStep } from '@choiros/contract/look.ts'
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

const SHIFT = 8
const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: SHIFT }
const KEYS: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  Tab: 9,
  Backspace: 8,
  Delete: 46,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Home: 36,
  End: 35,
  PageUp: 33,
  PageDown: 34,
  Space: 32,
}

/** One key, such as "Enter" or "Control+a". */
async function press(keys: string, send: Send): Promise<void> {
  const parts = keys.split('+').filter((part) => part !== '')
  const named = parts.pop() ?? '+'
  const key = named === 'Space' ? ' ' : named
  const modifiers = parts.reduce((sum, part) => sum + (MODIFIERS[part] ?? 0), 0)
  const code = KEYS[named] ?? key.toUpperCase().charCodeAt(0)
  const words = key === 'Enter' ? '\r' : key.length === 1 && (modifiers & ~SHIFT) === 0 ? key : undefined
  const event = {
    key,
    code: key.length === 1 && /[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : named,
    windowsVirtualKeyCode: code,
    modifiers,
  }
  await send('Input.dispatchKeyEvent', {
    type: words === undefined ? 'rawKeyDown' : 'keyDown',
    ...event,
    ...(words === undefined ? {} : { text: words }),
  })
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}
