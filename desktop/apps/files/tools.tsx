import { useRef } from 'react'
import type { Files } from './use-files.ts'

export function Tools({ files }: { files: Files }) {
  const { folder } = files
  return (
    <div className="files-tools">
      <Breadcrumb folder={folder} go={files.go} />
      {folder !== '' && <MakingTools files={files} />}
    </div>
  )
}

function MakingTools({ files }: { files: Files }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => void files.newFolder()}>
        New folder
      </button>
      <button type="button" onClick={() => input.current?.click()}>
        Upload
      </button>
      <button type="button" className="primary" onClick={() => void files.newDocument()}>
        New document
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ currentTarget }) => {
          void files.upload([...(currentTarget.files ?? [])])
          currentTarget.value = '' // Else the same file cannot be chosen twice.
        }}
      />
    </>
  )
}

function Breadcrumb({ folder, go }: { folder: string; go: Files['go'] }) {
  const parts = folder === '' ? [] : folder.split('/')
  return (
    <nav aria-label="Folder" className="crumbs">
      <button
        type="button"
        className="plain"
        aria-current={parts.length === 0 ? 'page' : undefined}
        onClick={() => go('')}
      >
        Computer
      </button>
      {parts.map((part, index) => (
        <span key={parts.slice(0, index + 1).join('/')}>
          <span aria-hidden="true">/</span>
          <button
            type="button"
            className="plain"
            aria-current={index === parts.length - 1 ? 'page' : undefined}
            onClick={() => go(parts.slice(0, index + 1).join('/'))}
          >
            {part}
          </button>
        </span>
      ))}
    </nav>
  )
}
