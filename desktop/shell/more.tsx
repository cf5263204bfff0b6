import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

interface Listed {
  readonly id: string
  readonly title: string
  readonly glyph?: string
}

interface Props<Item> {
  readonly name: string
  readonly items: readonly Item[]
  open(item: Item): void
}

/** A button at the end of a row, with a menu of what has found no room in it. */
export function More<Item extends Listed>({ name, items, open }: Props<Item>) {
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    whole.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const outside = ({ target }: PointerEvent) => whole.current?.contains(target as Node) === true || setOpen(false)
    addEventListener('pointerdown', outside)
    return () => removeEventListener('pointerdown', outside)
  }, [isOpen])
  const press = (event: KeyboardEvent) => {
    if (!isOpen) return
    if (event.key === 'Escape') close()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      step(whole.current, event.key === 'ArrowDown' ? 1 : -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={whole} className="more-menu" onKeyDown={press}>
      <button
        ref={opener}
        type="button"
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="glyph" aria-hidden="true">
          ⋯
        </span>
      </button>
      {isOpen && (
        <div role="menu" aria-label={name}>
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="menuitem"
              onClick={() => {
                setOpen(false)
                open(item)
              }}
            >
              {item.glyph !== undefined && (
                <span className="glyph" aria-hidden="true">
                  {item.glyph}
                </span>
              )}
              {item.title}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function step(menu: HTMLElement | null, by: 1 | -1): void {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  items[(items.indexOf(document.activeElement as HTMLElement) + by + items.length) % items.length]?.focus()
}
