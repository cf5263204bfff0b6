import { setTimeout as delay } from 'node:timers/promises'
import type { StoredEvent } from '@choiros/contract/event.ts'
import type { Objects } from '../objects/objects.ts'
import type { EventLog, LogOptions, OpenLog } from './event-log.ts'
import { createMemoryLogs } from './memory.fake.ts'

/** How many milliseconds a call is on its way. */
export type Latency = () => number

/**
 * Logs on a server far away, deliberately slow: every call takes time, every result is a copy, and nothing is done yet
 * when a call returns. Code that runs on these does not rely on a log that answers at once. For tests.
 */
export function createRemoteLogs(latency: Latency = () => 1 + Math.random() * 3): OpenLog {
  const open = createMemoryLogs()
  const travel = async <Result>(call: () => Promise<Result> | Result): Promise<Result> => {
    await delay(latency())
    const result = await call()
    await delay(latency())
    return result
  }
  return async (options: LogOptions) => {
    const log = await travel(() => open(options))
    return remote(log, travel, options.reached ?? (() => {}))
  }
}

type Travel = <Result>(call: () => Promise<Result> | Result) => Promise<Result>

function remote(log: EventLog, travel: Travel, reached: NonNullable<LogOptions['reached']>): EventLog {
  return {
    ...log,
    isRemote: true,
    objects: remoteObjects(log.objects, travel),
    async append(batch, objects, after) {
      // Copies, as if sent over a network: what the caller does to its buffers afterwards does not reach the server.
      const sent = {
        batch: batch.map(copied),
        objects: objects.map(({ hash, bytes }) => ({ hash, bytes: Buffer.from(bytes) })),
      }
      reached('log.append.before')
      await travel(() => log.append(sent.batch, sent.objects, after))
      reached('log.append.after')
    },
    read: (from) => travel(async () => (await log.read(from)).map(copied)),
    head: () => travel(() => log.head()),
    async *follow(after, signal) {
      for await (const stored of log.follow(after, signal)) {
        await delay(0)
        if (signal.aborted) return
        yield copied(stored)
      }
    },
    close: () => travel(() => log.close()),
  }
}

function remoteObjects(objects: Objects, travel: Travel): Objects {
  const copy = (bytes: Buffer | null) => (bytes === null ? null : Buffer.from(bytes))
  return {
    put: (source, bytesMax) => travel(() => objects.put(source, bytesMax)),
    get: (hash) => travel(async () => copy(await objects.get(hash))),
    stream: (hash) => travel(() => objects.stream(hash)),
    size: (hash) => travel(() => objects.size(hash)),
    erase: (hashes) => travel(() => objects.erase(hashes)),
    strays: () => travel(() => objects.strays()),
    close: () => travel(() => objects.close()),
  }
}

function copied({ seq, hash, bytes }: StoredEvent): StoredEvent {
  return { seq, hash, bytes: Buffer.from(bytes) }
}
