import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendEvents } from '@choiros/supervisor/socket/events.ts'
import { createLogLines } from '@choiros/supervisor/session/log-lines.ts'
import { createTurns, type Turns } from '@choiros/supervisor/session/turns.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { openTestHome, removeFolders, temporaryFolder, type TestHome } from '../support/home.ts'
import { write } from './damage.ts'

const EVENTS = 200
const READERS = 60

let own: TestHome
let computer: Computer

beforeAll(async () => {
  own = openTestHome(temporaryFolder())
  await own.run('files.change', { operations: [write('a.txt', 'a')] })
  const open = (index: number) =>
    own.run('window.open', { window: `w${index % 5}`, app: 'writer', title: `${index} `.repeat(40).slice(0, 200) })
  await Promise.all(Array.from({ length: EVENTS }, (_, index) => open(index)))
  computer = await own.computer()
})
afterAll(async () => {
  await own.close()
  removeFolders()
})

/** Somebody who takes whatever comes, at once, or as soon as they are told to. */
class Reader extends EventEmitter {
  lines = 0
  ended = false
  destroyed = false
  writableNeedDrain = false
  isSlow = false
  writeHead(): this {
    return this
  }
  flushHeaders(): void {}
  write(): boolean {
    this.lines++
    this.writableNeedDrain = this.isSlow
    return !this.isSlow
  }
  drain(): void {
    this.isSlow = false
    this.writableNeedDrain = false
    this.emit('drain')
  }
  end(): void {
    this.ended = true
  }
}

function read(turns: Turns, { who = 'desktop', follow = false, after = 0, reader = new Reader() } = {}) {
  const wanted = { after, follow, live: null, lifted: false, turns, who }
  return { reader, done: sendEvents(reader as unknown as ServerResponse, createLogLines(computer.log), wanted) }
}

describe('[L8] [L11] many readers of the whole log', () => {
  test('sixty of them cost a writer a small part of the time they take', async () => {
    const turns = createTurns()
    const startMs = performance.now()
    let isDone = false
    const all = Promise.all(Array.from({ length: READERS }, () => read(turns).done)).then(() => (isDone = true))
    const beatsMs: number[] = []
    let beats = 0
    for (; !isDone; beats++) {
      const beganMs = performance.now()
      await own.run('window.open', { window: 'w1', app: 'writer', title: 'again' })
      beatsMs.push(performance.now() - beganMs)
      await new Promise((resolve) => setTimeout(resolve, 10)) // Else the log would grow faster than sixty can read it.
    }
    await all
    // A share of the whole, never a time: a busy machine slows both. One or two may meet the machine at other work.
    const [, , thirdMs = 0] = beatsMs.toSorted((a, b) => b - a)
    expect(thirdMs).toBeLessThan((performance.now() - startMs) / 10)
    expect(beats).toBeGreaterThan(10)
  })

  test('[L8] a page reads on behind a damaged event, wherever in the log it stands', async () => {
    const damaged = createLogLines({
      ...computer.log,
      read: async (from) =>
        (await computer.log.read(from)).map((stored) =>
          [27, 61].includes(stored.seq) ? { ...stored, bytes: Buffer.from('{}') } : stored,
        ),
    })
    const wanted = { after: 0, follow: false, live: null, turns: createTurns(), who: 'desktop' }
    const page = new Reader()
    await sendEvents(page as unknown as ServerResponse, damaged, { ...wanted, lifted: true })
    expect([page.lines, page.ended]).toEqual([computer.head().seq, true])
    const other = new Reader()
    const refused = sendEvents(other as unknown as ServerResponse, damaged, { ...wanted, lifted: false })
    await expect(refused).rejects.toMatchObject({ code: 'log.corrupt' })
    expect(other.lines).toBe(26)
  })

  test('sixty of one page count as one: another who comes later is done first', async () => {
    const turns = createTurns()
    const many = Array.from({ length: READERS }, () => read(turns))
    const late = read(turns, { who: 'frame' })
    await late.done
    expect(late.reader.lines).toBe(computer.head().seq)
    expect(many.filter(({ reader }) => reader.ended)).toHaveLength(0)
    await Promise.all(many.map(({ done }) => done))
  })

  test('who listens at the end of the log waits for nobody, and one who reads nothing holds nobody up', async () => {
    const turns = createTurns()
    const listener = read(turns, { follow: true, after: computer.head().seq })
    // It has had its turn, and found nothing.
    await expect.poll(() => turns.take('nobody', async () => true)).toBe(true)
    const asleep = new Reader()
    asleep.isSlow = true
    const slow = read(turns, { reader: asleep })
    const many = Array.from({ length: READERS }, () => read(turns))
    await own.run('window.close', { window: 'w1' })
    await expect.poll(() => listener.reader.lines).toBe(1)
    expect(many.filter(({ reader }) => reader.ended)).toHaveLength(0)
    await Promise.all(many.map(({ done }) => done))
    expect(asleep.ended).toBe(false)
    asleep.drain()
    await slow.done
    expect(asleep.lines).toBe(computer.head().seq)
    listener.reader.emit('close')
    await listener.done
  })
})
