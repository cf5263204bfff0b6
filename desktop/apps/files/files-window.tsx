import { useState, type DragEvent } from 'react'
import { ItemActions } from './item-actions.tsx'
import { FileList } from './file-list.tsx'
import { Tools } from './tools.tsx'
import { useFiles } from './use-files.ts'

export function FilesWindow() {
  const files = useFiles()
  const [over, setOver] = useState(false)
  const mayDrop = files.folder !== ''
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!mayDrop) return files.say('Open a folder first: files are dropped into a folder.', true)
    const entries = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
    // A dropped folder looks like a file that cannot be read; say so before the upload fails without a reason.
    if (entries.some((entry) => entry.webkitGetAsEntry()?.isDirectory))
      return files.say('Folders cannot be dropped here yet. Drop the files inside instead.', true)
    void files.upload([...event.dataTransfer.files])
  }
  return (
    <div
      className={`files${over && mayDrop ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={drop}
    >
      <Tools files={files} />
      <FileList files={files} />
      <footer className="files-status">
        <span role="status" className={files.status?.bad === true ? 'bad' : ''}>
          {files.status?.text ?? hintOf(files.folder)}
        </span>
        {files.item !== null && files.renaming === null ? (
          <ItemActions files={files} item={files.item} />
        ) : (
          <span>
            {files.items.length} {files.items.length === 1 ? 'item' : 'items'}
          </span>
        )}
      </footer>
    </div>
  )
}

function hintOf(folder: string): string {
  if (folder === '') return '“artifacts” holds your files; “app” is the desktop itself.'
  if (folder === 'app' || folder.startsWith('app/'))
    return 'This is the desktop’s own code: a change here shows at once.'
  return ''
}
