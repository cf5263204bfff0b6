/**
 * The first script of every desktop page, put there by the gateway: it is no part of the desktop's own files. It says
 * whether the page lives, and judges what lands. It guards against accidents; code that means harm could silence it,
 * and then there is the frame.
 */
interface Order {
  /** A landing to be judged. `fresh`: this page was loaded with it. */
  readonly judge?: number
  readonly fresh?: boolean
  /** The desktop's files that it changed. */
  readonly paths?: readonly string[]
  /** A landing was taken back: the page should be as before, or load again. */
  readonly reverted?: boolean
}

const BEAT_MS = 500
const LOOK_AGAIN_MS = 2000
const RETRY_MS = 500
/** Files are written, and touched again 80 ms later: before this the last of it is not on the disk. */
const APPLY_MS = 250
const SETTLE_MS = 300
/** Vite waits up to 2 s for files it has not seen yet; then the answer must come. */
const HMR_MS = 3000
/** How long the modules of one hot update may take to arrive. */
const UPDATE_MS = 2000
/** How long a page may take to show its taskbar: when it is loaded, and when it is changed. */
const FRESH_MS = 12_000
const CHANGED_MS = 2500

// Taken before any other script could put something else in their place.
const {
  WebSocket: Socket,
  setTimeout: later,
  setInterval: every,
  fetch: get,
  requestAnimationFrame: nextFrame,
} = globalThis
const OPEN = 1

const errors: string[] = []
const pongs = new Set<string>()
/** Modules of which a newer one could not be run, and why; one that comes later takes them off. */
const stale = new Map<string, string>()
let socket: InstanceType<typeof Socket> | null = null
let judging = 0
let updates = 0
let leaving = false
/** How this page came up; undefined until it is known. */
let said: string | null | undefined

addEventListener(
  'error',
  (event) => {
    // Of what could not be loaded, only code and styles count: a picture that is missing breaks nothing.
    const isFile = event.target instanceof Element
    if (!isFile) errors.push(event.message || 'a script failed')
    else if (event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement)
      errors.push('a script or style could not be loaded')
  },
  true,
)
addEventListener('unhandledrejection', (event) =>
  errors.push(event.reason instanceof Error ? event.reason.message : String(event.reason)),
)
document.addEventListener('visibilitychange', () => send({ visible: isVisible() }))
// The hot-update client answers through this: only then do changes still reach the page.
Object.defineProperty(globalThis, 'choirHot', { value: hear, configurable: false })

function hear(what: 'pong' | 'begin' | 'end' | 'reload', id: string): void {
  if (what === 'pong') pongs.add(id)
  else if (what === 'begin') {
    updates++
    for (const path of id.split('\n')) stale.delete(path)
  } else if (what === 'reload') leaving = true
  else updates--
}

// A module that cannot be run leaves the old one in place: the page looks well, and the next one would not come up.
// Vite only writes it to the console.
const { error: complain } = console
let lastComplaint = ''
console.error = (...words: unknown[]) => {
  const text = words.map((word) => (word instanceof Error ? word.message : String(word))).join(' ')
  const path = /\[(?:vite|hmr)\].*Failed to reload (\S+?)\.?(?:\s|$)/.exec(text)?.[1]
  if (path !== undefined) stale.set(path, lastComplaint === '' ? text.slice(0, 300) : lastComplaint)
  lastComplaint = words.some((word) => word instanceof Error) ? text.replace(/^\[vite\]\s*/, '').slice(0, 300) : ''
  complain.apply(console, words)
}

const wait = (ms: number) => new Promise<void>((resolve) => later(resolve, ms))
const frame = () => new Promise<void>((resolve) => nextFrame(() => resolve()))

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

function send(message: unknown): void {
  if (socket?.readyState === OPEN) socket.send(JSON.stringify(message))
}

function connect(): void {
  const own = new Socket(`${location.origin.replace('http', 'ws')}/choir/probe`)
  socket = own
  own.addEventListener('open', () => {
    send({ visible: isVisible() })
    // A gateway that is a new one, or was asleep, does not know this page yet: untold, the frame would say for good
    // that it does not answer.
    if (said !== undefined) send({ broken: said })
  })
  own.addEventListener('message', (event) => void obey(JSON.parse(String(event.data)) as Order))
  own.addEventListener('close', () => later(connect, RETRY_MS))
}

async function obey({ judge, fresh, paths = [], reverted }: Order): Promise<void> {
  if (judge !== undefined) {
    judging = judge
    const why = await problem(fresh === true, paths)
    // A page that is about to load again has nothing to say about what it will show then.
    if (judging === judge && !leaving) send({ land: judge, ok: why === null, why: why ?? '' })
  } else if (reverted === true) {
    judging = 0
    errors.length = 0
    if ((await problem(false, [])) !== null) location.reload()
  }
}

/** What is wrong with this page once a change has had time to arrive, or null. */
async function problem(fresh: boolean, paths: readonly string[]): Promise<string | null> {
  if (!fresh) {
    errors.length = 0
    stale.clear()
  }
  await wait(fresh ? 0 : APPLY_MS)
  if (fresh) await Promise.race([loaded(), wait(FRESH_MS)])
  if (!(await hotUpdatesArrive(paths))) return errors[0] ?? 'changes no longer reach the page'
  for (let waitedMs = 0; updates > 0 && waitedMs < UPDATE_MS; waitedMs += 20) await wait(20)
  await wait(SETTLE_MS)
  await forgetRemoved()
  const deadline = performance.now() + (fresh ? FRESH_MS : CHANGED_MS)
  for (;;) {
    await Promise.race([frame().then(frame), wait(1000)])
    const [failed] = [...errors, ...stale.values()]
    if (failed !== undefined) return failed
    const hidden = outOfReach()
    if (hidden === null) return null
    if (performance.now() > deadline) return hidden
    await wait(100)
  }
}

/** A module whose file is gone cannot be run, and need not be: an app that is removed leaves such behind. */
async function forgetRemoved(): Promise<void> {
  for (const path of stale.keys()) {
    // For a path that is nobody's, Vite answers with the page itself.
    const answer = await get(path, { cache: 'no-store' }).catch(() => null)
    if (answer?.status === 404 || answer?.headers.get('content-type')?.includes('text/html') === true)
      stale.delete(path)
  }
}

function outOfReach(): string | null {
  if (!isHit('[aria-label="Ask ChoirOS"]')) return 'the prompt box cannot be reached'
  return isHit('[role="toolbar"][aria-label="Taskbar"]') ? null : 'the taskbar cannot be seen'
}

/** When every script of the page has run once. */
function loaded(): Promise<void> {
  return document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener('load', () => resolve(), { once: true }))
}

async function hotUpdatesArrive(paths: readonly string[]): Promise<boolean> {
  const deadline = performance.now() + HMR_MS
  const named = paths.map((path) => `&path=${encodeURIComponent(path)}`).join('')
  const sent: string[] = []
  pongs.clear()
  while (performance.now() < deadline) {
    const id = Math.random().toString(36).slice(2)
    sent.push(id)
    await get(`/@choir/ping?id=${id}${named}`, { cache: 'no-store' }).catch(() => null)
    for (let tries = 0; tries < 10; tries++) {
      if (sent.some((one) => pongs.has(one))) return true // Also a late one: slow is not dead.
      await wait(30)
    }
  }
  return false
}

/** Really there for a person: what is at its place on the screen is it, or lies in it. */
function isHit(selector: string): boolean {
  const element = document.querySelector(selector)
  if (element === null) return false
  const { left, top, width, height } = element.getBoundingClientRect()
  if (width < 4 || height < 4) return false
  return [0.5, 0.1, 0.3, 0.7, 0.9].some((part) => {
    const hit = document.elementFromPoint(left + width * part, top + height / 2)
    return hit !== null && (element === hit || element.contains(hit))
  })
}

/** A page says once how it came up: what is broken by a person's own hand no landing will judge. */
async function sayHowItCameUp(): Promise<void> {
  said = await problem(true, [])
  if (!leaving) send({ broken: said })
  let before: string | null | undefined = said
  // And again when that changes for good: what nobody judges can still break the page, and a hand can mend it.
  every(() => {
    const now = isVisible() && !leaving ? outOfReach() : said
    if (now === before && now !== said) send({ broken: (said = now) })
    before = now
  }, LOOK_AGAIN_MS)
}

/** A link out of the computer is the frame's to open; here the browser would do nothing, without a word. */
function leave(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || event.defaultPrevented || event.button > 1) return
  const url = URL.parse(link.href)
  if (url === null || url.origin === location.origin || !['http:', 'https:'].includes(url.protocol)) return
  event.preventDefault()
  // Only the frame can be around this page, and an address is no secret from it.
  parent.postMessage({ open: url.href }, '*')
}

addEventListener('click', leave)
addEventListener('auxclick', leave)
every(() => isVisible() && send({ beat: true }), BEAT_MS)
connect()
void sayHowItCameUp()
