import { useDocument } from '@choiros/sdk/open-documents.ts'
import { Paper } from '@choiros/sdk/paper.tsx'

interface Props {
  readonly window: string
  readonly path: string
  readonly name: string
  onMove(path: string): void
  rename(name: string): void
  remove(): void
}

export function Note({ window, path, name, onMove, rename, remove }: Props) {
  const { open, view } = useDocument(window, path, onMove)
  if (view.phase !== 'ready') return <p className="part-id-empty">{view.failure ?? 'Opening…'}</p>
  return (
    <>
      <header>
        <input
          key={name}
          aria-label="Name of the note"
          defaultValue={name}
          onBlur={(event) => rename(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
        <button type="button" className="plain" aria-label={`Delete ${name}`} onClick={remove}>
          Delete
        </button>
      </header>
      {view.notice?.kind === 'conflict' && (
        <p role="status">Someone changed the same words. Theirs are below; yours are kept in {view.notice.copy}.</p>
      )}
      <Paper key={path} className="part-id-paper" open={open} name={name} />
      <footer role="status">
        {view.failure === null ? (view.unsaved ? 'Saving…' : 'Saved') : `Not saved: ${view.failure} Trying again…`}
      </footer>
    </>
  )
}
