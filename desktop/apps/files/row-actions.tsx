import type { SyntheticEvent } from 'react'
import { isText, type Item } from './listing.ts'
import type { Files } from './use-files.ts'

/** What is done to a row's item must not also open it. */
const stop = (event: SyntheticEvent) => event.stopPropagation()

export function RowActions({ files, item }: { files: Files; item: Item }) {
  return (
    <span role="gridcell" className="actions" onDoubleClick={stop} onPointerUp={stop}>
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
          <button type="button" onClick={() => void files.remove(item)}>
            Delete
          </button>
        </>
      )}
    </span>
  )
}
