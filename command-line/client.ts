import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '@choiros/contract/error.ts'
import type { IncomingMessage } from 'node:http'
import type { CommandName, InputOf, OutputOf } from '@choiros/contract/commands.ts'
import type { Event } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { ROUTES, type Progress } from '@choiros/contract/routes.ts'
import type { AnswerLine } from '@choiros/contract/wire.ts'
import type { Connection } from './connection.ts'
import { answeredError, lostInAnswer, readAll, readLines } from './connection.ts'

export interface Client {
  run<Name extends CommandName>(command: Name, input: InputOf<Name>): Promise<OutputOf<Name>>
  events(from: { after: number; follow: boolean }): AsyncIterable<Event>
  readFile(path: string, at: number | null): Promise<IncomingMessage>
  upload(content: Readable | Buffer): Promise<{ hash: Hash; size: number }>
  export(rescue: boolean): Promise<IncomingMessage>
  import(file: string, name: string | null): Promise<OutputOf<'computer.add'>>
}

export interface ClientOptions {
  readonly user: string | null
  readonly computer: string | null
  readonly progress: Progress
  readonly checkAnswer?: CheckAnswer | undefined
}

/**
 * Checks an answer against the contract; tests do so with every answer. A person's command does not: the supervisor has
 * already named the same contract, and loading all schemas would take longer than the command.
 */
export type CheckAnswer = (command: CommandName, result: unknown) => void

/** How long a computer that closed under its readers is given to come back. */
const BACK_MS = 250

export function createClient(
  connection: Connection,
  { user, computer, progress, checkAnswer = () => {} }: ClientOptions,
): Client {
  const query = (parameters: Readonly<Record<string, string | number | null>>): string => {
    const search = new URLSearchParams()
    const all: Readonly<Record<string, string | number | null>> = { user, computer, ...parameters }
    for (const [name, value] of Object.entries(all)) if (value !== null) search.set(name, String(value))
    return search.size === 0 ? '' : `?${search.toString()}`
  }
  return {
    async run(command, input) {
      const body = Buffer.from(JSON.stringify({ user, computer, command, input }))
      const result = await readAnswer(await connection.send('POST', ROUTES.command, body), progress)
      checkAnswer(command, result)
      return result as OutputOf<typeof command>
    },
    async *events({ after, follow }) {
      let position = after
      let closing: unknown = null
      for (;;) {
        // A computer whose tables are made again closes and is back at once; if ChoirOS itself ended, that was why.
        const asked = connection.send('GET', ROUTES.events + query({ after: position, follow: follow ? '1' : null }))
        const response = await asked.catch((error: unknown) => {
          throw closing ?? error
        })
        closing = null
        for await (const line of readLines(response)) {
          const event = JSON.parse(line) as Event | { error: unknown }
          if ('error' in event) {
            closing = answeredError(event.error)
            if (!follow || !hasCode(closing, 'supervisor.stopping')) throw closing
            break
          }
          position = event.seq
          yield event
        }
        if (closing === null) return
        await delay(BACK_MS)
      }
    },
    readFile: (path, at) => connection.send('GET', ROUTES.file + query({ path, at })),
    async upload(content) {
      const response = await connection.send('PUT', ROUTES.object + query({}), content)
      return JSON.parse((await readAll(response)).toString('utf8')) as { hash: Hash; size: number }
    },
    export: (rescue) => connection.send('GET', ROUTES.export + query({ rescue: rescue ? '1' : null })),
    async import(file, name) {
      const search = new URLSearchParams()
      if (user !== null) search.set('user', user)
      if (name !== null) search.set('name', name)
      const response = await connection.send('POST', `${ROUTES.import}?${search.toString()}`, createReadStream(file))
      const result = await readAnswer(response, progress)
      checkAnswer('computer.add', result)
      return result as OutputOf<'computer.add'>
    },
  }
}

/** Reads to the end: leaving early would close the connection for which an on-demand supervisor keeps running. */
async function readAnswer(response: IncomingMessage, progress: Progress): Promise<unknown> {
  let last: AnswerLine | null = null
  for await (const text of readLines(response)) {
    last = JSON.parse(text) as AnswerLine
    if ('progress' in last) progress(last.progress.what, last.progress.done, last.progress.total)
  }
  if (last === null || 'progress' in last) throw lostInAnswer(undefined)
  if ('error' in last) throw answeredError(last.error)
  return last.result
}
