import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import {
  createServer,
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { askedOf, isReview, isTalk, type SeenRequest } from '../support/scripted-model.ts'
import { createTalks, type Scenario, type ScenarioAnswer } from './scenario.ts'
import { readStream } from './wire.ts'

export interface Recorder {
  /** What ChoirOS is told to be the model's address. */
  readonly url: string
  /** The files written so far, one for each wish. */
  readonly files: readonly string[]
  close(): Promise<void>
}

export interface RecorderOptions {
  /** The real server, as CHOIR_MODEL_URL would name it. */
  readonly upstream: string
  readonly folder: string
  readonly name: string
  readonly port?: number
}

/**
 * Where keys travel. Nothing of a request is written down but the wish; this is for a server that says the key back.
 */
const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key']
/** These are about one connection, and there are two. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length'])

/**
 * Stands between ChoirOS and a real model: passes every byte on as it comes, and writes down what the model said, as a
 * scenario that the scripted model can play. The file is written anew after each answer, so that it is there however
 * the recorder ends.
 */
export async function startRecorder({ upstream, folder, name, port = 0 }: RecorderOptions): Promise<Recorder> {
  const files: string[] = []
  const notes = createNotes((count) => {
    const file = join(folder, `${name}${count === 1 ? '' : `-${count}`}.json`)
    if (!files.includes(file)) files.push(file)
    return file
  })
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const path = request.url ?? '/'
    const write = notes.asked(path, request.headers, body)
    const answer = await passOn(request, body, new URL(upstream.replace(/\/$/, '') + path), response)
    write(
      answer === null
        ? { hang: true }
        : answer.status >= 400
          ? { status: answer.status }
          : readStream(path, answer.text),
    )
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    files,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What came back, whole or not; null if whoever asked went away before anything came. */
function passOn(
  request: IncomingMessage,
  body: Buffer,
  to: URL,
  response: ServerResponse,
): Promise<{ status: number; text: string } | null> {
  // Not packed: it is to be read on the way.
  const headers = { ...passed(request.headers), 'accept-encoding': 'identity', 'content-length': String(body.length) }
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const ended = (status: number) => resolve({ status, text: Buffer.concat(pieces).toString('utf8') })
    const brokeOff = () => (pieces.length === 0 ? resolve(null) : ended(200))
    const send = to.protocol === 'https:' ? requestHttps : requestHttp
    const onward = send(to, { method: request.method ?? 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, passed(answer.headers))
      response.flushHeaders()
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece)
        response.write(piece)
      })
      answer.once('end', () => {
        response.end()
        ended(answer.statusCode ?? 502)
      })
      answer.once('error', () => {
        response.destroy()
        brokeOff()
      })
    })
    onward.once('error', () => {
      response.destroy()
      brokeOff()
    })
    response.once('close', () => {
      if (!response.writableEnded) brokeOff()
      onward.destroy()
    })
    onward.end(body)
  })
}

function passed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)))
}

type Slot = { answer: ScenarioAnswer | null }

/** Which answer belongs where. Each wish begins a file of its own. */
function createNotes(fileOf: (count: number) => string) {
  const talks = createTalks()
  const secrets = new Set<string>()
  let count = 0
  let wish = ''
  let director: Slot[] = []
  let associates: Slot[][] = []
  let reviewers: Slot[][] = []

  const answersOf = (slots: readonly Slot[]) => slots.flatMap(({ answer }) => (answer === null ? [] : [answer]))
  const save = () => {
    const scenario: Omit<Scenario, 'files'> = {
      about: 'Recorded. Say here what it is a scenario of, and below how it ends.',
      wish,
      director: answersOf(director),
      associates: associates.map(answersOf).filter((talk) => talk.length > 0),
      reviewers: reviewers.map(answersOf).filter((talk) => talk.length > 0),
    }
    const text = `${JSON.stringify(scenario, null, 2)}\n`
    writeFileSync(
      fileOf(count),
      [...secrets].reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text),
    )
  }

  return {
    /** Returns where its answer is to be told. */
    asked(path: string, headers: IncomingHttpHeaders, body: Buffer): (answer: ScenarioAnswer) => void {
      for (const name of KEY_HEADERS) {
        const key = String(headers[name] ?? '').replace(/^Bearer\s+/i, '')
        if (key !== '') secrets.add(key)
      }
      const request = parseRequest(path, headers, body)
      if (request === null || !isTalk(request)) return () => {}
      if (isReview(request)) {
        const slot: Slot = { answer: null }
        if (askedOf(request).turn === 0) reviewers.push([])
        reviewers.at(-1)?.push(slot)
        return (answer) => {
          slot.answer = answer
          save()
        }
      }
      const { role, talk, begins } = talks.place(request)
      if (begins && role === 'director') {
        count++
        wish = wishOf(request)
        director = []
        associates = []
        reviewers = []
      }
      const slot: Slot = { answer: null }
      const slots = role === 'director' ? director : (associates[talk] ??= [])
      slots.push(slot)
      return (answer) => {
        talks.answered(answer.status ?? 200)
        slot.answer = answer
        if (director.includes(slot) || associates.some((one) => one.includes(slot))) save()
      }
    },
  }
}

function parseRequest(path: string, headers: IncomingHttpHeaders, body: Buffer): SeenRequest | null {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as SeenRequest['body'] | null
    return Array.isArray(parsed?.messages) ? { path, headers, body: parsed } : null
  } catch {
    return null
  }
}

/** The Director is told the person's words before anything else. */
function wishOf({ body: { messages } }: SeenRequest): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content
  const parts = Array.isArray(content) ? (content as { text?: string }[]) : [{ text: String(content) }]
  const text = parts.map((part) => part.text ?? '').join('\n')
  const said = /The person says: ("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  return said === undefined ? text.slice(0, 200) : (JSON.parse(said) as string)
}
