import { isText, type Item } from './listing.ts'
import type { Files } from './use-files.ts'

/**
 * Below the list, not in the row: the second click of a double click must not hit a button that the first one showed.
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
              // In a moment this button belongs to the next file: neither a double click nor a second press of a key
              // may delete that one, too.
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
