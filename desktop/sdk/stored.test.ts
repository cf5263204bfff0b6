import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStored } from './stored.ts'

type Items = { items: Record<string, string> }
const NONE: Items = { items: {} }
const add = (id: string) => (value: Items) => ({ items: { ...value.items, [id]: id } })

function createFile(first: string | null) {
  let [version, text] = [first === null ? 0 : 1, first]
  const object = () => (text === null ? null : `version-${version}`)
  return {
    storage: {
      read: async () => (text === null ? null : { text, object: object()! }),
      write: async (_path: string, next: string, from: string | null) => {
        if (from !== object()) throw Object.assign(new Error('it has changed since'), { code: 'file.conflict' })
        version++
        text = next
        return object()
      },
    },
    put: (next: string) => {
      version++
      text = next
      return object()
    },
    value: () => (text === null ? null : (JSON.parse(text) as Items)),
    text: () => text,
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(3000)

test('two pages that each add something keep both, whoever comes second', async () => {
  const file = createFile(null)
  const [one, two] = [createStored('a.json', NONE, file.storage), createStored('a.json', NONE, file.storage)]
  await settle()
  one.update(add('milk'))
  two.update(add('bread'))
  two.update(add('salt'))
  await settle()
  expect(Object.keys(file.value()?.items ?? {}).sort()).toEqual(['bread', 'milk', 'salt'])
  one.tell('version-9')
  await settle()
  expect(one.view().value).toEqual(file.value())
})

test('what changes elsewhere is shown; what was deleted there does not come back with the next change here', async () => {
  const file = createFile('{"items":{"milk":"milk","salt":"salt"}}')
  const stored = createStored('a.json', NONE, file.storage)
  await settle()
  stored.tell(file.put('{"items":{"salt":"salt"}}'))
  await settle()
  expect(stored.view().value).toEqual({ items: { salt: 'salt' } })
  stored.update(add('bread'))
  await settle()
  expect(file.value()).toEqual({ items: { salt: 'salt', bread: 'bread' } })
})

test('a file that is no JSON is left alone, and taken when it is mended', async () => {
  const file = createFile('{"items":')
  const stored = createStored('a.json', NONE, file.storage)
  await settle()
  stored.update(add('milk'))
  await settle()
  expect([stored.view().phase, file.text()]).toEqual(['unreadable', '{"items":'])
  stored.tell(file.put('{"items":{}}'))
  await settle()
  stored.update(add('milk'))
  await settle()
  expect([stored.view().phase, file.value()]).toEqual(['ready', { items: { milk: 'milk' } }])
})

test('a write that fails is shown, tried again, and nothing is forgotten', async () => {
  const file = createFile('{"items":{}}')
  let broken = true
  const stored = createStored('a.json', NONE, {
    ...file.storage,
    write: (path, text, from) =>
      broken ? Promise.reject(new Error('your computer is not answering')) : file.storage.write(path, text, from),
  })
  await settle()
  stored.update(add('milk'))
  await vi.advanceTimersByTimeAsync(10)
  expect(stored.view()).toMatchObject({
    value: { items: { milk: 'milk' } },
    failure: 'Your computer is not answering.',
  })
  broken = false
  await settle()
  expect([stored.view().failure, file.value()]).toEqual([null, { items: { milk: 'milk' } }])
})

test('what could not be written goes at once when there is a connection again, however long it failed', async () => {
  const file = createFile('{"items":{}}')
  let isAway = false
  const write: typeof file.storage.write = (...given) =>
    isAway ? Promise.reject(new Error('away')) : file.storage.write(...given)
  const stored = createStored('a.json', NONE, { ...file.storage, write })
  await settle()
  isAway = true
  stored.update(add('milk'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([stored.hasUnsaved(), stored.view().failure]).toEqual([true, 'Away.'])
  isAway = false
  stored.retry()
  await vi.advanceTimersByTimeAsync(0)
  expect([stored.hasUnsaved(), stored.view().failure, file.value()]).toEqual([false, null, { items: { milk: 'milk' } }])
})
