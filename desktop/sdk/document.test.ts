import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDocument, freeName, type Storage } from './document.ts'

/** Files in memory, with the one rule that counts: a write names the version it is based on. */
function createMemory(first: Readonly<Record<string, string>>) {
  const files = new Map(Object.entries(first).map(([path, text], index) => [path, { text, object: `first-${index}` }]))
  let versions = 0
  const put = (path: string, text: string) => {
    const object = `version-${++versions}`
    files.set(path, { text, object })
    return object
  }
  const storage: Storage = {
    read: async (path) => files.get(path) ?? null,
    write: async (path, text, from) => {
      if ((files.get(path)?.object ?? null) !== from)
        throw Object.assign(new Error('it has changed since'), { code: 'file.conflict' })
      return put(path, text)
    },
    has: (path) => files.has(path),
    nameOf: async () => `version-${versions + 1}`,
  }
  return { storage, files, put, text: (path: string) => files.get(path)?.text }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function open(first: string) {
  const memory = createMemory({ 'a.md': first })
  const document = createDocument('a.md', memory.storage)
  await vi.advanceTimersByTimeAsync(0)
  return { ...memory, document }
}

test('a hand that never rests is saved 2 s after its first letter, and every 2 s from then on', async () => {
  const { document, text } = await open('')
  const saved: string[] = []
  for (let typed = 1; typed <= 50; typed++) {
    document.type('x'.repeat(typed))
    await vi.advanceTimersByTimeAsync(100)
    if (text('a.md') !== saved.at(-1)) saved.push(text('a.md') ?? '')
  }
  expect(saved.map((words) => words.length)).toEqual([0, 20, 40])
})

test('what is typed is saved 400 ms after the last key', async () => {
  const { document, text } = await open('one\n')
  document.type('one\ntwo\n')
  await vi.advanceTimersByTimeAsync(399)
  expect(text('a.md')).toBe('one\n')
  expect(document.view().unsaved).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(text('a.md')).toBe('one\ntwo\n')
  expect(document.view()).toEqual({ phase: 'ready', unsaved: false, failure: null, notice: null })
})

test('a change elsewhere is shown when nothing is unsaved', async () => {
  const { document, put } = await open('one\n')
  document.tell(put('a.md', 'one\ntwo\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(document.text()).toBe('one\ntwo\n')
})

test('whoever counts the words is told of every text, typed here or elsewhere', async () => {
  const { document, put } = await open('one\n')
  const counted: number[] = []
  document.watch(() => counted.push(document.text().match(/\S+/g)?.length ?? 0))
  document.tell(put('a.md', 'one two\n'))
  await vi.advanceTimersByTimeAsync(0)
  expect(counted.at(-1)).toBe(2)
  document.type('one two three')
  document.type('one two three four')
  expect(counted.at(-1)).toBe(4)
})

test('a change elsewhere is merged with what is unsaved, also when only the refused write tells of it', async () => {
  const { document, put, text } = await open('one\n\ntwo\n')
  document.type('ONE\n\ntwo\n')
  put('a.md', 'one\n\nTWO\n')
  await vi.advanceTimersByTimeAsync(400)
  expect([document.text(), text('a.md')]).toEqual(['ONE\n\nTWO\n', 'ONE\n\nTWO\n'])
})

test('a true conflict keeps both: theirs in place, mine beside it with what was typed meanwhile', async () => {
  const { document, put, text, storage } = await open('one\n')
  const { write } = storage
  storage.write = async (path, content, from) => {
    if (path === 'a (conflict).md' && from === null) document.type('mine and more\n')
    return write(path, content, from)
  }
  document.type('mine\n')
  put('a.md', 'theirs\n')
  await vi.advanceTimersByTimeAsync(2000)
  expect([document.text(), text('a.md'), text('a (conflict).md')]).toEqual(['theirs\n', 'theirs\n', 'mine and more\n'])
  expect(document.view().notice).toEqual({ kind: 'conflict', copy: 'a (conflict).md' })
})

test('a failed save keeps the text, says so, and tries again by itself', async () => {
  const { document, text, storage } = await open('one\n')
  const { write } = storage
  storage.write = async () => {
    throw new Error('your computer is not answering')
  }
  document.type('two\n')
  await vi.advanceTimersByTimeAsync(400)
  expect(document.view()).toMatchObject({ unsaved: true, failure: 'Your computer is not answering.' })
  storage.write = write
  await vi.advanceTimersByTimeAsync(1000)
  expect(document.view()).toMatchObject({ unsaved: false, failure: null })
  expect(text('a.md')).toBe('two\n')
})

test('a deleted document is not written again by itself, but by the next key', async () => {
  const { document, files, text } = await open('one\n')
  files.delete('a.md')
  document.tell(null)
  await vi.advanceTimersByTimeAsync(1000)
  expect([document.text(), text('a.md'), document.view().notice]).toEqual(['one\n', undefined, { kind: 'gone' }])
  document.type('one\n!')
  await vi.advanceTimersByTimeAsync(400)
  expect([text('a.md'), document.view().notice]).toEqual(['one\n!', null])
})

test('a renamed document is saved under its new name', async () => {
  const { document, files, text } = await open('one\n')
  document.type('two\n')
  files.set('b.md', files.get('a.md')!)
  files.delete('a.md')
  document.follow('b.md')
  await vi.advanceTimersByTimeAsync(400)
  expect([text('a.md'), text('b.md')]).toEqual([undefined, 'two\n'])
})

test('a file of lines that end in CR LF keeps them', async () => {
  const { document, text } = await open('one\r\ntwo\r\n')
  document.type(document.text().replace('two', 'three'))
  await vi.advanceTimersByTimeAsync(400)
  expect([document.text(), text('a.md')]).toEqual(['one\nthree\n', 'one\r\nthree\r\n'])
})

test('a second conflict gets a name of its own', () => {
  const taken = new Set(['x/a (conflict).md'])
  expect([freeName('x/a.md', (path) => taken.has(path)), freeName('x.y/a', () => false)]).toEqual([
    'x/a (conflict 2).md',
    'x.y/a (conflict)',
  ])
})

test('a page that closes while a save is under way saves the rest over it', async () => {
  const memory = createMemory({ 'a.md': '' })
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const slow: Storage = {
    ...memory.storage,
    async write(path, text, from, last) {
      await arrived // In the order in which they were sent.
      return memory.storage.write(path, text, from, last)
    },
  }
  const document = createDocument('a.md', slow)
  await vi.advanceTimersByTimeAsync(0)
  document.type('one')
  await vi.advanceTimersByTimeAsync(400)
  document.type('one two')
  document.saveLast()
  arrive()
  await vi.advanceTimersByTimeAsync(0)
  expect(memory.text('a.md')).toBe('one two')
})

test('a file that was no text and is text again can be written in', async () => {
  const memory = createMemory({ 'a.md': 'text' })
  let isText = false
  const document = createDocument('a.md', {
    ...memory.storage,
    async read(path) {
      if (!isText) throw Object.assign(new Error('it is not text'), { code: 'file.not-text' })
      return memory.storage.read(path)
    },
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(document.view().phase).toBe('unreadable')
  isText = true
  document.tell(memory.put('a.md', 'text again'))
  await vi.advanceTimersByTimeAsync(0)
  expect([document.view().phase, document.text()]).toEqual(['ready', 'text again'])
})
