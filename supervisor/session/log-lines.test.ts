import { expect, test } from 'vitest'
import { sealEvent, readEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { eventIdFrom, NO_HASH, type ComputerId, type Seq, type UserId } from '@choiros/contract/ids.ts'
import type { EventLog } from '@choiros/ports/event-log/event-log.ts'
import { createMemoryLogs } from '@choiros/ports/event-log/memory.fake.ts'
import { createLogLines, type Line, type LogLines } from './log-lines.ts'

const READERS = 200

/** A log that counts how many events are read from it, and how often the bytes of one are looked at. */
async function openCounted() {
  const own = await createMemoryLogs()({ computer: 'c' as ComputerId, epoch: 1 })
  const counted = { read: 0, looks: 0 }
  const countOne = (stored: StoredEvent): StoredEvent => ({
    seq: stored.seq,
    hash: stored.hash,
    get bytes() {
      counted.looks++
      return stored.bytes
    },
  })
  const log: Pick<EventLog, 'read' | 'follow' | 'head'> = {
    head: own.head,
    async read(from) {
      const page = await own.read(from)
      counted.read += page.length
      return page.map(countOne)
    },
    async *follow(after, signal) {
      for await (const stored of own.follow(after, signal)) {
        counted.read++
        yield countOne(stored)
      }
    },
  }
  let last: Pick<StoredEvent, 'seq' | 'hash'> = { seq: 0 as Seq, hash: NO_HASH }
  const append = async (text: string) => {
    const draft = {
      type: 'test.fact',
      version: 1,
      data: { text },
      user: 'u' as UserId,
      source: 'user',
      via: 'cli',
      run: null,
      cause: null,
    } as const
    const seq = (last.seq + 1) as Seq
    const { stored } = sealEvent(draft, {
      id: eventIdFrom(1, new Uint8Array(10)),
      computer: 'c' as ComputerId,
      seq,
      time: 1,
      prev: last.hash,
    })
    await own.append([stored], [], last.seq)
    last = stored
    return stored
  }
  return { log, append, counted }
}

function listenTo(lines: LogLines, after: number, takes = Number.POSITIVE_INFINITY) {
  const heard: Line[] = []
  const gone = new AbortController()
  const done = lines.listen(after, (line) => heard.push(line) < takes, gone.signal)
  return { heard, done, leave: () => gone.abort() }
}

const seqsOf = (lines: readonly Line[]) => lines.map(({ seq }) => seq)

test('two hundred who listen cost one read and one writing down of each event', async () => {
  const { log, append, counted } = await openCounted()
  await append('before')
  const lines = createLogLines(log)
  const all = Array.from({ length: READERS }, () => listenTo(lines, 1))
  await expect.poll(async () => (await lines.read(1, 1)).length).toBe(0)
  counted.read = counted.looks = 0
  for (let event = 0; event < 10; event++) await append(`${event}`)
  await expect.poll(() => all.every(({ heard }) => heard.length === 10)).toBe(true)
  expect(counted.read).toBe(10)
  expect(counted.looks).toBeLessThanOrEqual(2 * 10) // Once to prove it, once to send it.
  expect(new Set(all.map(({ heard }) => heard[0]?.bytes)).size).toBe(1)
  for (const { leave } of all) leave()
  expect(await Promise.all(all.map(({ done }) => done))).toEqual(Array.from({ length: READERS }, () => 11))
})

test('two hundred who come back to the newest events read them once', async () => {
  const { log, append, counted } = await openCounted()
  for (let event = 0; event < 10; event++) await append(`${event}`)
  const lines = createLogLines(log)
  for (let reader = 0; reader < READERS; reader++)
    expect(seqsOf(await lines.read(2, 100))).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
  expect(counted.read).toBe(8)
  expect(seqsOf(await lines.read(0, 100))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(seqsOf(await lines.read(4, 2))).toEqual([5, 6])
})

test('a line is the event with its hash', async () => {
  const { log, append } = await openCounted()
  const stored = await append('“two”\n\\ lines \u{1F600}')
  const [line] = await createLogLines(log).read(0, 1)
  const text = line?.bytes.toString() ?? ''
  expect(JSON.parse(text)).toEqual(readEvent(stored))
  expect(text.indexOf('\n')).toBe(text.length - 1)
  expect(line?.lifted()).toBe(line?.bytes) // The event is already of the newest version.
})

test('whoever joins late, leaves early, is slow, or names an event to come hears everything once and keeps nobody from it', async () => {
  const { log, append } = await openCounted()
  await append('1')
  const lines = createLogLines(log)
  const early = listenTo(lines, 1_000_000)
  const steady = listenTo(lines, 1)
  const slow = listenTo(lines, 1, 1)
  await append('2')
  expect(await slow.done).toBe(2)
  await append('3')
  await expect.poll(() => seqsOf(steady.heard)).toEqual([2, 3])
  const late = listenTo(lines, 1)
  await append('4')
  await expect.poll(() => seqsOf(late.heard)).toEqual([2, 3, 4])
  expect(seqsOf(slow.heard)).toEqual([2])
  expect(early.heard).toEqual([])
  for (const { leave } of [early, steady, late]) leave()
  expect(await Promise.all([early, steady, late].map(({ done }) => done))).toEqual([1_000_000, 4, 4])
  const again = listenTo(lines, 3)
  await append('5')
  await expect.poll(() => seqsOf(again.heard)).toEqual([4, 5])
  again.leave()
})

test('who is further behind than what is kept is sent to read; pages go on behind a damaged event, others are told', async () => {
  const { log, append } = await openCounted()
  for (let event = 0; event < 600; event++) await append(`${event}`)
  const damaged: typeof log = {
    ...log,
    async *follow(after, signal) {
      for await (const stored of log.follow(after, signal))
        yield stored.seq === 601 ? { ...stored, bytes: Buffer.from('{}') } : stored
    },
  }
  const lines = createLogLines(damaged)
  const page = listenTo(lines, 0)
  await expect.poll(() => page.heard.length).toBe(600)
  expect(await listenTo(lines, 5).done).toBe(5)
  const reader = lines.listen(600, ({ bytes }) => bytes.length > 0, new AbortController().signal)
  const told = reader.then(String, (error: unknown) => error)
  await append('600')
  expect(await told).toMatchObject({ code: 'log.corrupt' })
  await append('601')
  await expect.poll(() => page.heard.length).toBe(602)
  expect(page.heard[600]?.lifted().toString()).toBe('{"damaged":601}\n')
  expect(JSON.parse(String(page.heard[601]?.lifted()))).toMatchObject({ seq: 602 })
})

test('who comes while the only other leaves still hears what is new', async () => {
  const { log, append } = await openCounted()
  const { promise: headAsked, resolve: answerHead } = Promise.withResolvers<void>()
  const lines = createLogLines({ ...log, head: () => headAsked.then(() => log.head()) })
  const first = listenTo(lines, 0)
  const second = listenTo(lines, 0)
  first.leave()
  answerHead()
  expect(await first.done).toBe(0)
  await append('1')
  await expect.poll(() => seqsOf(second.heard)).toEqual([1])
})

test('who listens is sent away when the computer closes, and so is who comes after', async () => {
  const { log } = await openCounted()
  const lines = createLogLines(log)
  const { done } = listenTo(lines, 0)
  const told = done.then(String, (error: unknown) => error)
  await expect.poll(async () => (await lines.read(0, 1)).length).toBe(0)
  lines.close()
  expect(await told).toMatchObject({ code: 'supervisor.stopping' })
  await expect(listenTo(lines, 0).done).rejects.toMatchObject({ code: 'supervisor.stopping' })
})
