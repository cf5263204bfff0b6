import { useLayoutEffect, useRef } from 'react'
import { change, explain } from '@choiros/sdk/choir.ts'
import { hasFile } from '@choiros/sdk/live.ts'
import { openDocument, type OpenDocument } from '@choiros/sdk/open-documents.ts'
import { retitleWindow } from '@choiros/sdk/windows.ts'

/**
 * A document that begins with its first letter, in the window that is already there. Until the document can be written
 * in, the start page's own field takes what is typed; then text and caret move over in one step, so that no key is lost
 * in between.
 */
export function useFirstWords(window: string, tell: (problem: string | null) => void) {
  const paper = useRef<HTMLTextAreaElement>(null)
  const made = useRef<OpenDocument | null>(null)
  const busy = useRef(false)
  const composing = useRef(false)
  useLayoutEffect(() => {
    const field = paper.current!
    return () => {
      if (made.current === null) return
      made.current.caret = {
        start: field.selectionStart,
        end: field.selectionEnd,
        scroll: 0,
        focused: document.activeElement === field,
      }
    }
  }, [])

  const begin = async () => {
    const field = paper.current!
    made.current?.document.type(field.value)
    // Letters that are half composed stay in their field; the end of the composition calls this again.
    if (busy.current || composing.current) return
    busy.current = true
    try {
      tell(null)
      made.current ??= await create(window)
      if (made.current.document.text() !== field.value) made.current.document.type(field.value)
      if (!composing.current && field.isConnected) await retitleWindow(window, 'writer', made.current.document.path())
    } catch (error) {
      tell(explain(error))
    }
    busy.current = false
  }
  const compose = (on: boolean) => {
    composing.current = on
    if (!on) void begin()
  }
  return { paper, begin, compose }
}

/**
 * Created empty: its text then counts as typing, and Undo takes back all of it at once, not all but the first letter.
 */
async function create(window: string): Promise<OpenDocument> {
  let path = 'artifacts/Untitled.md'
  for (let number = 2; hasFile(path); number++) path = `artifacts/Untitled ${number}.md`
  await change({ op: 'write', path, content: { text: '' }, from: null })
  return openDocument(window, path)
}
