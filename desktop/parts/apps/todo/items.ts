export interface Item {
  readonly text: string
  readonly done: boolean
}

/** By id, not in a list: if two pages each add an item, both are kept. */
export interface List {
  readonly items: Readonly<Record<string, Item>>
}

export const EMPTY: List = { items: {} }

export function addItem(list: List, id: string, text: string): List {
  return { ...list, items: { ...list.items, [id]: { text, done: false } } }
}

export function checkItem(list: List, id: string, done: boolean): List {
  const item = list.items[id]
  return item === undefined ? list : { ...list, items: { ...list.items, [id]: { ...item, done } } }
}

export function removeItems(list: List, isGone: (id: string, item: Item) => boolean): List {
  return { ...list, items: Object.fromEntries(Object.entries(list.items).filter(([id, item]) => !isGone(id, item))) }
}

/**
 * Open items in the order they were added, then those that are done. Anyone may write the file: what is no item is
 * neither shown nor changed.
 */
export function inOrder(list: List): [string, Item][] {
  const items = Object.entries((list as Partial<List> | null)?.items ?? {}).filter(
    ([, item]) => typeof (item as Item | null)?.text === 'string',
  )
  return items.sort(([a, one], [b, other]) => Number(one.done) - Number(other.done) || (a < b ? -1 : 1))
}

/** Time first, so that ids sort by it; then a random part, for two pages in the same moment. */
export function newId(): string {
  return `i${Date.now().toString(36)}${Math.floor(Math.random() * 36 ** 4).toString(36)}`
}
