export interface Item {
  readonly text: string
  readonly done: boolean
}

/** By id, not in a row: then two pages that each add one keep both. */
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
 * What is open in the order it was added, then what is done. The file is anyone's to write: what is no item is not
 * shown, and not touched.
 */
export function inOrder(list: List): [string, Item][] {
  const items = Object.entries((list as Partial<List> | null)?.items ?? {}).filter(
    ([, item]) => typeof (item as Item | null)?.text === 'string',
  )
  return items.sort(([a, one], [b, other]) => Number(one.done) - Number(other.done) || (a < b ? -1 : 1))
}

/** Time first, so that ids sort by it; then chance, for two pages in the same moment. */
export function newId(): string {
  return `i${Date.now().toString(36)}${Math.floor(Math.random() * 36 ** 4).toString(36)}`
}
