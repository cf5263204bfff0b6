import { isText, type Item } from './listing.ts'
import type { Files } from './use-files.ts'

/**
 * Below the list, not in the row: a second click of a double click must not land on a button that the first one
 * brought.
 */
export function ItemActions({ files, item }: { files: Files; item: Item }) {
  return (
    <span role="group" aria-label={`What to do with ${item.name}`} className="actions">
      {(item.kind === 'folder' || isText(item)) && (
        <button type="button" onClick={() => files.open(item)}>
          Open
        </button>
      )}
      {item.kind === 'file' && (
        <button type="button" onClick={() => files.download(item)}>
          Download
        </button>
      )}
      {files.folder !== '' && (
        <>
          <button type="button" onClick={files.startRenaming}>
            Rename
          </button>
          <button
            type="button"
            onClick={({ currentTarget, detail }) => {
              // This button is the next file's in a moment: neither a double click nor a second press of a key may take
              // that one, too.
              if (detail > 1) return
              currentTarget.closest('.files')?.querySelector<HTMLElement>('.files-list')?.focus()
              void files.remove(item)
            }}
          >
            Delete
          </button>
        </>
      )}
    </span>
  )
}
