import { useEffect, useRef, type KeyboardEvent } from 'react'
import { isText, sizeText, type Item } from './listing.ts'
import type { Files } from './use-files.ts'

export function FileList({ files }: { files: Files }) {
  const { items, item, renaming } = files
  const list = useRef<HTMLDivElement>(null)
  const focusRow = (path: string | undefined) => {
    if (path === undefined) return
    files.select(path)
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus()
  }
  useKeptFocus(list, files.selected, renaming)
  const press = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return
    const at = item === null ? -1 : items.indexOf(item)
    const deed = keyDeed(event, files, (step) =>
      focusRow(items[Math.min(items.length - 1, Math.max(0, at + step))]?.path),
    )
    if (deed === null) return
    event.preventDefault()
    deed()
  }
  return (
    <div
      className="files-list"
      ref={list}
      role="grid"
      aria-label={`Files in ${files.folder || 'the computer'}`}
      tabIndex={items.length === 0 ? 0 : -1}
      data-autofocus={items.length === 0 ? '' : undefined}
      onKeyDown={press}
    >
      {items.length === 0 ? (
        <div role="row" className="files-empty">
          <span role="gridcell">This folder is empty. Make a document or drop files here.</span>
        </div>
      ) : (
        items.map((one, index) => (
          <Row key={one.path} files={files} item={one} entry={item === null ? index === 0 : item === one} />
        ))
      )}
    </div>
  )
}

/** What a key does here, or null if the list has no use for it. */
function keyDeed(event: KeyboardEvent, files: Files, step: (by: number) => void): (() => unknown) | null {
  const { item } = files
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  switch (event.key) {
    case 'ArrowDown':
      return () => step(1)
    case 'ArrowUp':
      return () => step(-1)
    case 'Home':
      return () => step(-Infinity)
    case 'End':
      return () => step(Infinity)
    case 'Backspace':
      return files.up
    case 'Enter':
      return item && (() => files.open(item))
    case 'F2':
      return files.startRenaming
    case 'Delete':
      return item && files.folder !== '' ? () => files.remove(item) : null
    default:
      return null
  }
}

/** The focus stays in the list when its row is renamed, deleted or left behind in another folder. */
function useKeptFocus(
  list: { readonly current: HTMLElement | null },
  path: string | null,
  renaming: string | null,
): void {
  const had = useRef(false)
  useEffect(() => {
    const { current } = list
    if (current === null || renaming !== null) return
    if (had.current && (document.activeElement === document.body || document.activeElement === current)) {
      const row =
        path === null
          ? current.querySelector<HTMLElement>('[data-path]')
          : current.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
      // Where the selected row is not there yet, the list waits for it; to focus another row would select that one.
      ;(row ?? current).focus()
    }
  })
  useEffect(() => {
    const note = () => void (had.current = list.current?.contains(document.activeElement) === true)
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [list])
}

function Row({ files, item, entry }: { files: Files; item: Item; entry: boolean }) {
  const selected = files.item === item
  return (
    <div
      role="row"
      aria-selected={selected}
      data-path={item.path}
      data-autofocus={entry ? '' : undefined}
      tabIndex={entry ? 0 : -1}
      className={`row${selected ? ' selected' : ''}`}
      onFocus={() => selected || files.select(item.path)}
      onDoubleClick={() => files.open(item)}
      // There is no double click by touch: a tap on the selected item opens it.
      onPointerUp={(event) => event.pointerType === 'touch' && selected && files.renaming === null && files.open(item)}
    >
      <span role="gridcell" className="icon">
        <Icon item={item} />
      </span>
      <span role="gridcell" className="name">
        {files.renaming === item.path ? <NameField files={files} item={item} /> : item.name}
      </span>
      <span role="gridcell" className="size">
        {sizeText(item)}
      </span>
    </div>
  )
}

function NameField({ files, item }: { files: Files; item: Item }) {
  const field = useRef<HTMLInputElement>(null)
  const over = useRef(false)
  useEffect(() => {
    const dot = item.kind === 'folder' ? -1 : item.name.lastIndexOf('.')
    field.current?.focus()
    field.current?.setSelectionRange(0, dot > 0 ? dot : item.name.length)
  }, [item.kind, item.name])
  /** Enter removes the field, and a removed field loses the focus: that must not rename twice. */
  const finish = (name: string | null) => {
    if (over.current) return
    over.current = true
    field.current?.closest<HTMLElement>('.files-list')?.focus()
    if (name === null) files.stopRenaming()
    else void files.rename(item, name)
  }
  return (
    <input
      ref={field}
      aria-label={`New name of ${item.name}`}
      defaultValue={item.name}
      onBlur={({ currentTarget }) => finish(currentTarget.value)}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key !== 'Escape') return
        event.preventDefault() // Taken here: it must not close something else, too.
        finish(null)
      }}
    />
  )
}

function Icon({ item }: { item: Item }) {
  const lines =
    item.kind === 'folder'
      ? 'M1.5 3.5h4.5l1.5 2h7v8h-13z'
      : isText(item)
        ? 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 7.5h5M5.5 9.5h5M5.5 11.5h3'
        : 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3'
  return (
    <svg viewBox="0 0 16 16" role="img" aria-label={item.kind} className={item.kind}>
      <path d={lines} />
    </svg>
  )
}
