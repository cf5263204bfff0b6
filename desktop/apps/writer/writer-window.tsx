import { useSyncExternalStore } from 'react'
import type { AppProps } from '@choiros/sdk/app.ts'
import type { View, WriterDocument } from '@choiros/sdk/document.ts'
import { useDocument } from '@choiros/sdk/open-documents.ts'
import { Paper } from '@choiros/sdk/paper.tsx'
import { openWindow, retitleWindow } from '@choiros/sdk/windows.ts'
import { StartPage } from './start-page.tsx'

export function WriterWindow({ window, title }: AppProps) {
  return title.includes('/') ? <DocumentWindow window={window} path={title} /> : <StartPage window={window} />
}

function DocumentWindow({ window, path }: { window: string; path: string }) {
  // It may have been closed by another device meanwhile: then there is no title to change.
  const { open, view } = useDocument(
    window,
    path,
    (moved) => void retitleWindow(window, 'writer', moved).catch(() => {}),
  )
  const { document } = open
  if (view.phase === 'unreadable') return <p className="writer-message">{view.failure}</p>
  if (view.phase === 'loading')
    return <p className="writer-message">{view.failure === null ? 'Opening…' : `${view.failure} Trying again…`}</p>
  return (
    <div className="writer">
      <Notice view={view} dismiss={document.dismiss} />
      <Paper key={path} className="paper" open={open} name={path} />
      <Status view={view} document={document} />
    </div>
  )
}

function Notice({ view: { notice }, dismiss }: { view: View; dismiss: () => void }) {
  if (notice === null) return null
  return (
    <div className="writer-notice" role="status">
      {notice.kind === 'gone' ? (
        <span>This document is not on the computer any more. Type something, and it is saved again.</span>
      ) : (
        <>
          <span>Someone changed the same words. Theirs are below; yours are kept in {notice.copy}.</span>
          <button type="button" onClick={() => void openWindow('writer', notice.copy)}>
            Open yours
          </button>
        </>
      )}
      <button type="button" aria-label="Hide this notice" className="plain" onClick={dismiss}>
        ×
      </button>
    </div>
  )
}

function Status({ view, document }: { view: View; document: WriterDocument }) {
  const words = useSyncExternalStore(document.watch, document.text).match(/\S+/g)?.length ?? 0
  const saved = view.failure !== null ? `Not saved: ${view.failure} Trying again…` : view.unsaved ? 'Saving…' : 'Saved'
  return (
    <footer className="writer-status">
      <span role="status" className={view.failure === null ? '' : 'bad'}>
        {view.notice?.kind === 'gone' && !view.unsaved && view.failure === null ? 'Not saved' : saved}
      </span>
      <span>
        {words} {words === 1 ? 'word' : 'words'}
      </span>
    </footer>
  )
}
