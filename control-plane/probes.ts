import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import type { Seq } from '@choiros/contract/ids.ts'
import { AFTER_HEADER, ROUTES } from '@choiros/contract/routes.ts'
import { EventAside } from '@choiros/contract/wire.ts'
import { keepBeating } from './heartbeat.ts'
import type { Speaker, SupervisorClient } from './supervisor-client.ts'

/**
 * The gateway's side of the probes: it counts the pages that are visible, has them judge what lands, and notices when
 * one falls silent.
 */
export interface Probes {
  join(as: Speaker, label: string, request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Whether a page of this sign-in has been heard of just now. */
  isAlive(label: string): boolean
  /** How the newest page of this sign-in came up. */
  state(label: string): { known: boolean; broken: string | null }
}

/**
 * A visible page that is silent for this long is stuck, asleep or cut off. Nobody can tell which, so it counts only if
 * no other page is awake.
 */
const SILENT_MS = 2500
const LOOK_EVERY_MS = 250
const ALIVE_MS = 1500
const STUCK_MS = 5000
const RETRY_MS = 500

const Said = z.union([
  z.strictObject({ visible: z.boolean() }),
  z.strictObject({ beat: z.literal(true) }),
  z.strictObject({ broken: z.string().max(10_000).nullable() }),
  z.strictObject({
    land: z.number().int().positive(),
    ok: z.boolean(),
    why: z.string().max(10_000),
    stack: z.string().max(10_000).default(''),
  }),
])
const ToldEvent = z.object({
  seq: z.number().int(),
  type: z.string(),
  data: z.object({ changes: z.array(z.object({ path: z.string() })).optional() }),
})
const Told = z.union([ToldEvent, EventAside.options[1]])
/** Beyond this number, a page need not wait for the paths one by one. */
const PATHS_MAX = 40

interface Answer {
  readonly land: number
  readonly ok: boolean
  readonly why: string
  readonly stack: string
}

interface Page {
  readonly label: string
  readonly socket: WebSocket
  visible: boolean
  heardMs: number
  judging: number | null
  /** How it came up: undefined until it has said so, then what is wrong, or null. */
  broken: string | null | undefined
}

interface Watched {
  readonly as: Speaker
  readonly pages: Set<Page>
  readonly timer: NodeJS.Timeout
  /** The number of visible pages that the supervisor was last told. */
  told: number
  /** The newest landing that some page has found good. */
  good: number
  stop(): void
}

export function createProbes(
  supervisor: SupervisorClient,
  now: () => number,
  warn: (message: string, cause?: unknown) => void,
): Probes {
  const server = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 })
  const computers = new Map<string, Watched>()
  const speaker = (as: Speaker): Speaker => ({ ...as, caller: 'gateway' })
  const note = (error: unknown) => warn('a verdict on the desktop was lost', error)

  const report = (watched: Watched, land: number, ok: boolean, why: string, stack = '') => {
    for (const page of watched.pages) if (page.judging === land) page.judging = null
    supervisor
      .run(speaker(watched.as), 'health.report', {
        land: land as Seq,
        ok,
        why: why.slice(0, 1000).toWellFormed(),
        stack: stack.slice(0, 4000).toWellFormed(),
      })
      .catch(note)
  }
  /** One bad page is enough; a landing is good when every visible page says so. */
  const answer = (watched: Watched, page: Page, { land, ok, why, stack }: Answer) => {
    page.judging = null
    if (ok) watched.good = land
    const others = [...watched.pages].some((other) => other.visible && other.judging === land)
    if (!ok || !others) report(watched, land, ok, why, stack)
  }
  const isAwake = (page: Page) => page.visible && now() - page.heardMs <= SILENT_MS
  const judge = (page: Page, land: number, fresh: boolean, paths: readonly string[] = []) => {
    page.judging = land
    page.heardMs = now()
    page.socket.send(JSON.stringify({ judge: land, fresh, paths }))
  }
  const count = async (watched: Watched, newcomer: Page | null) => {
    const visible = [...watched.pages].filter(isAwake).length
    watched.told = visible
    const { pending } = await supervisor.run(speaker(watched.as), 'health.pages', { visible })
    if (pending !== null && newcomer !== null && newcomer.judging === null) judge(newcomer, pending, true)
  }
  const look = (watched: Watched) => {
    for (const page of watched.pages) {
      const land = page.judging
      if (land === null || !page.visible || isAwake(page)) continue
      page.judging = null
      const others = [...watched.pages].filter((other) => other !== page && isAwake(other))
      if (others.some((other) => other.judging === land)) continue // Those pages will tell.
      if (watched.good === land) report(watched, land, true, '')
      else if (others.length === 0) report(watched, land, false, 'the page stopped answering')
    }
    if ([...watched.pages].filter(isAwake).length !== watched.told) count(watched, null).catch(note)
  }
  const heard = (watched: Watched, event: z.infer<typeof ToldEvent>) => {
    const paths = (event.data.changes ?? []).map(({ path }) => path).filter((path) => path.startsWith('app/'))
    for (const page of watched.pages) {
      // A page that was already silent before cannot judge the landing.
      if (event.type === 'run.land' && isAwake(page)) judge(page, event.seq, false, paths.slice(0, PATHS_MAX))
      if (event.type === 'run.revert') {
        page.judging = null
        page.socket.send('{"reverted":true}')
      }
    }
  }

  const watch = (as: Speaker): Watched => {
    let following: IncomingMessage | null = null
    let stopped = false
    /**
     * From where the log is followed: what landed long before the first page came is not for that page to judge, but
     * what lands while the supervisor is away is.
     */
    let position: number | 'head' = 'head'
    const watched: Watched = {
      as,
      pages: new Set(),
      told: 0,
      good: 0,
      timer: setInterval(() => look(watched), LOOK_EVERY_MS),
      stop() {
        stopped = true
        following?.destroy()
      },
    }
    const follow = async () => {
      following = await supervisor.send(as, 'GET', ROUTES.events, { after: String(position), follow: '1' })
      if (stopped) return void following.destroy() // All pages left while the log was asked for.
      position = Number(following.headers[AFTER_HEADER] ?? Number.NaN) || position
      watched.told = -1 // It may be a new supervisor, which does not know yet that a page is visible.
      for await (const line of createInterface({ input: following })) {
        const told = Told.parse(JSON.parse(line))
        if ('damaged' in told) position = told.damaged
        else {
          position = told.seq
          heard(watched, told)
        }
      }
    }
    const keepFollowing = () => {
      if (stopped) return
      follow()
        .catch(() => {}) // The supervisor restarts: it is asked again below.
        .finally(() => setTimeout(keepFollowing, RETRY_MS))
    }
    keepFollowing()
    return watched
  }

  return {
    join(as, label, request, socket, head) {
      const computer = as.computer ?? ''
      server.handleUpgrade(request, socket, head, (own) => {
        keepBeating(own)
        const watched = computers.get(computer) ?? watch(as)
        computers.set(computer, watched)
        // Counts as visible until it says otherwise: a page that never says anything is already stuck.
        const page: Page = { label, socket: own, visible: true, heardMs: now(), judging: null, broken: undefined }
        watched.pages.add(page)
        count(watched, page).catch(note)
        own.on('message', (bytes: Buffer) => {
          const said = Said.safeParse(parseJson(bytes))
          if (!said.success) return own.close(1008, 'what was that?')
          const wakes = !isAwake(page)
          page.heardMs = now()
          if (wakes && page.visible) count(watched, page).catch(note)
          if ('visible' in said.data) {
            const appears = said.data.visible && !page.visible
            page.visible = said.data.visible
            if (!page.visible) page.judging = null
            count(watched, appears ? page : null).catch(note)
          } else if ('broken' in said.data) page.broken = said.data.broken?.slice(0, 500) ?? null
          else if ('land' in said.data && page.judging === said.data.land) answer(watched, page, said.data)
        })
        own.on('error', () => {})
        own.on('close', () => {
          watched.pages.delete(page)
          count(watched, null).catch(() => {}) // Signed out, or the supervisor is going: nobody needs the number.
          if (watched.pages.size > 0) return
          clearInterval(watched.timer)
          watched.stop()
          computers.delete(computer)
        })
      })
    },
    state(label) {
      const page = [...computers.values()].flatMap(({ pages }) => [...pages]).findLast((one) => one.label === label)
      // The frame of the same browser asks, so that browser is awake: a visible page that is silent is stuck.
      const isStuck = page !== undefined && page.visible && now() - page.heardMs > STUCK_MS
      return { known: page?.broken !== undefined, broken: isStuck ? 'it stopped answering' : (page?.broken ?? null) }
    },
    isAlive: (label) =>
      [...computers.values()].some(({ pages }) =>
        [...pages].some((page) => page.label === label && now() - page.heardMs < ALIVE_MS),
      ),
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
