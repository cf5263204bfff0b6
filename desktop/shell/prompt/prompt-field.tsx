import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { listRecipes } from '@choiros/sdk/runs.ts'
import { clearSent, setDraft, useDraft } from './draft.ts'
import { leavesText, step } from './recall.ts'

interface Props {
  /** What was asked before, newest first. */
  readonly earlier: readonly string[]
  /** False: it was not accepted, and the typed text must stay. */
  send(text: string): Promise<boolean>
  /** False: there was nothing to close or stop. */
  escape(): boolean
}

const APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function PromptField({ earlier, send, escape }: Props) {
  const draft = useDraft()
  const area = useRef<HTMLTextAreaElement>(null)
  const [sending, setSending] = useState(false)
  /** Which earlier prompt is shown, and what was being written before it. */
  const [recalled, setRecalled] = useState({ position: -1, written: '' })
  useGrowth(area, draft)
  useShortcut(area)
  const submit = async () => {
    const text = draft.trim()
    if (text === '' || sending) return
    setSending(true)
    if (await send(text)) {
      clearSent(draft)
      setRecalled({ position: -1, written: '' })
    }
    setSending(false)
  }
  const recall = (by: 1 | -1): boolean => {
    const position = step(recalled.position, by, earlier.length)
    if (position === recalled.position) return false
    const written = recalled.position === -1 ? draft : recalled.written
    setRecalled({ position, written })
    setDraft(position === -1 ? written : (earlier[position] ?? ''))
    return true
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, currentTarget } = event
    if (event.nativeEvent.isComposing) return
    if (key === 'Enter' && !event.shiftKey) void submit()
    else if (key === 'Escape') {
      if (!escape()) return
    } else if ((key === 'ArrowUp' || key === 'ArrowDown') && leavesText(draft, currentTarget.selectionStart, key)) {
      if (!recall(key === 'ArrowUp' ? 1 : -1)) return
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="prompt-box" data-sending={sending}>
      <span className="prompt-mark" aria-hidden="true" />
      <textarea
        ref={area}
        rows={1}
        aria-label="Ask ChoirOS"
        aria-keyshortcuts={APPLE ? 'Meta+K' : 'Control+K'}
        placeholder="Ask ChoirOS"
        enterKeyHint="send"
        value={draft}
        onChange={(event) => {
          setDraft(event.currentTarget.value)
          setRecalled({ position: -1, written: '' })
        }}
        // If the Director rests, it is woken while the person types.
        onFocus={() => void listRecipes().catch(() => {})}
        onKeyDown={press}
      />
      {draft.trim() === '' ? (
        <kbd aria-hidden="true">{APPLE ? '⌘K' : 'Ctrl K'}</kbd>
      ) : (
        <button
          type="button"
          className="prompt-send"
          aria-label="Send"
          title="Send"
          disabled={sending}
          onClick={() => void submit()}
        >
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d="M6 10.5v-9M2 5.5l4-4 4 4" />
          </svg>
        </button>
      )}
    </div>
  )
}

/**
 * As high as its text; the taskbar below it keeps its height, windows stay where they are, and what floats above it
 * moves up.
 */
function useGrowth(area: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current } = area
    if (current === null) return
    current.style.height = ''
    const least = current.offsetHeight
    const borders = least - current.clientHeight
    if (current.scrollHeight > current.clientHeight) current.style.height = `${current.scrollHeight + borders}px`
    current.closest<HTMLElement>('.prompt-bar')?.style.setProperty('--grown', `${current.offsetHeight - least}px`)
  }, [area, text])
}

export function goToPrompt(): void {
  document.querySelector<HTMLElement>('[aria-label="Ask ChoirOS"]')?.focus()
}

function useShortcut(area: { readonly current: HTMLTextAreaElement | null }): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      area.current?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [area])
}
