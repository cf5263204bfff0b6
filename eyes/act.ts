import type { LookStep } from '@choiros/contract/look.ts'
import { aimAt, TAKES_TEXT, type Aim } from './aim.ts'
import { readKey } from './keys.ts'
import { findNamed, isCalled, titleOf, type AxNode } from './outline.ts'

type Send = <Result = Record<string, unknown>>(method: string, params?: object) => Promise<Result>

/** What is needed of a page to do something in it. */
export interface Acting {
  readonly send: Send
  nodes(): Promise<AxNode[]>
  evaluate<Result>(expression: string): Promise<Result>
  /** That of `evaluate`, in which the page's own scripts cannot lie. */
  world(): Promise<number>
}

/**
 * Does one thing in a page. Resolves with what whoever asked for it may not expect of it, or with null; rejects with
 * words that they can do something with.
 */
export async function perform(step: Exclude<LookStep, { wait: number }>, page: Acting): Promise<string | null> {
  if ('type' in step) return type(step.type, page)
  if ('press' in step) return press(step.press, page)
  return click(step.click, step.role ?? null, page)
}

/** Without a field that has the focus the text would be lost, and the app would seem to take none. */
async function type(text: string, { send, evaluate }: Acting): Promise<null> {
  if (!(await evaluate<boolean>(TAKES_TEXT)))
    throw new Error('nothing that takes text has the focus: click a field first')
  await send('Input.insertText', { text })
  return null
}

async function press(keys: string, { send }: Acting): Promise<null> {
  const { text, ...event } = readKey(keys)
  await send('Input.dispatchKeyEvent', {
    type: text === null ? 'rawKeyDown' : 'keyDown',
    ...event,
    ...(text === null ? {} : { text }),
  })
  await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  return null
}

async function click(name: string, role: string | null, page: Acting): Promise<string | null> {
  const { send } = page
  const found = findNamed(await page.nodes(), name, role)
  if (found?.backendDOMNodeId === undefined) throw new Error(`there is nothing called ${JSON.stringify(name)} to click`)
  const { at, inTheWay } = await aim(found.backendDOMNodeId, page)
  const title = titleOf(found)
  if (at === null) throw new Error(`${title} cannot be clicked: ${inTheWay}`)
  const mouse = { ...at, button: 'left', clickCount: 1 }
  await send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...mouse, button: 'none' })
  await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse })
  await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse })
  const notes = [
    ...(isCalled(found, name) ? [] : [`nothing is called exactly ${JSON.stringify(name)}`]),
    ...(inTheWay === null ? [] : [`at its centre ${inTheWay}, so it was clicked beside that`]),
  ]
  return notes.length === 0 ? null : `clicked ${title}: ${notes.join('; ')}`
}

async function aim(backendNodeId: number, { send, world }: Acting): Promise<Aim> {
  await send('DOM.scrollIntoViewIfNeeded', { backendNodeId }).catch(() => {})
  const { object } = await send<{ object: { objectId: string } }>('DOM.resolveNode', {
    backendNodeId,
    executionContextId: await world(),
  })
  const { result } = await send<{ result: { value?: Aim } }>('Runtime.callFunctionOn', {
    functionDeclaration: aimAt(),
    objectId: object.objectId,
    returnByValue: true,
  })
  return result.value ?? { at: null, inTheWay: 'it is not there any more' }
}
