import { useLayoutEffect, useRef } from 'react'
import { moveOffset } from './caret.ts'
import type { OpenDocument } from './open-documents.ts'

/**
 * The text itself. The browser owns the textarea's value, not React: a render must never put an older text under a
 * typing hand, and the browser's own undo of typing keeps working.
 */
export function Paper({ open, name, className }: { open: OpenDocument; name: string; className: string }) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { document: written } = open
  useLayoutEffect(() => {
    const paper = area.current!
    paper.value = written.text()
    const { caret } = open
    if (caret !== null) {
      paper.setSelectionRange(caret.start, caret.end)
      paper.scrollTop = caret.scroll
    } else paper.setSelectionRange(0, 0)
    if (caret?.focused === true || document.activeElement === paper.closest('[role=dialog]'))
      paper.focus({ preventScroll: true })
    const stop = written.onReplace((before, after) => show(paper, before, after))
    return () => {
      stop()
      open.caret = {
        start: paper.selectionStart,
        end: paper.selectionEnd,
        scroll: paper.scrollTop,
        focused:
          document.activeElement === paper ||
          (document.activeElement === document.body && open.caret?.focused === true),
      }
    }
  }, [open, written])
  return (
    <textarea
      ref={area}
      className={className}
      aria-label={name}
      data-autofocus
      data-kept="document"
      spellCheck
      placeholder="Write here. It is saved as you type."
      onChange={(event) => written.type(event.currentTarget.value)}
      onBlur={() => void written.save()}
      onCompositionStart={() => written.pause(true)}
      onCompositionEnd={() => written.pause(false)}
    />
  )
}

function show(paper: HTMLTextAreaElement, before: string, after: string): void {
  const { selectionStart, selectionEnd, selectionDirection, scrollTop } = paper
  paper.value = after
  paper.setSelectionRange(
    moveOffset(before, after, selectionStart),
    moveOffset(before, after, selectionEnd),
    selectionDirection,
  )
  paper.scrollTop = scrollTop
}
