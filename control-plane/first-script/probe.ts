/**
 * The first script of every desktop page, put there by the gateway: it is no part of the desktop's own files. It tells
 * whether the page lives, and judges what lands. It guards against accidents; hostile code could silence it, and then
 * the frame is still there.
 */
interface Order {
  /** A landing to be judged. `fresh`: this page was loaded with it. */
  readonly judge?: number
  readonly fresh?: boolean
  /** The desktop's files that the landing changed. */
  readonly paths?: readonly string[]
  /** A landing was taken back: the page should be as before, or load again. */
  readonly reverted?: boolean
}

const BEAT_MS = 500
const LOOK_AGAIN_MS = 2000
const RETRY_MS = 500
/** Files are written, and touched again 80 ms later: before this time not all of it is on disk. */
const APPLY_MS = 250
const SETTLE_MS = 300
/** Vite waits up to 2 s for files it has not seen yet; after this time its answer must have come. */
const HMR_MS = 3000
/** How long the modules of one hot update may take to arrive. */
const UPDATE_MS = 2000
/** How long a page may take to show its taskbar: when it is loaded, and when it is changed. */
const FRESH_MS = 12_000
const CHANGED_MS = 2500
/** How long it may take to find out where in the source it went wrong. */
const WHERE_MS = 1000
/** How long a desk may take to answer, once it is asked for: it may have to be started first. */
const DESK_MS = 25_000

declare const choirWhere: (thrown: unknown) => Promise<string>

// Taken before any other script can replace them.
const {
  WebSocket: Socket,
  setTimeout: later,
  setInterval: every,
  fetch: get,
  requestAnimationFrame: nextFrame,
} = globalThis
const limit = AbortSignal.timeout.bind(AbortSignal)
const OPEN = 1

interface Wrong {
  readonly message: string
  /** What was thrown, where that is known. */
  readonly thrown: unknown
}

const errors: Wrong[] = []
const wrong = (message: string, thrown: unknown = null): Wrong => ({ message, thrown })
const pongs = new Set<string>()
/** Modules whose newer version could not be run, and why; a later version that runs removes them. */
const stale = new Map<string, Wrong>()
let socket: InstanceType<typeof Socket> | null = null
let judging = 0
let updates = 0
let leaving = false
let comingBack: Promise<void> | null = null
let connections = 0
/** How this page came up; undefined until it is known. */
let said: string | null | undefined

addEventListener(
  'error',
  (event) => {
    // Of files that fail to load, only code and styles count: a missing picture breaks nothing.
    const isFile = event.target instanceof Element
    if (!isFile) errors.push(wrong(event.message || 'a script failed', event.error))
    else if (event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement)
      errors.push(wrong('a script or style could not be loaded'))
  },
  true,
)
addEventListener('unhandledrejection', (event) =>
  errors.push(wrong(event.reason instanceof Error ? event.reason.message : String(event.reason), event.reason)),
)
document.addEventListener('visibilitychange', () => send({ visible: isVisible() }))
// The hot-update client answers through this. An answer shows that changes still reach the page.
Object.defineProperty(globalThis, 'choirHot', { value: hear, configurable: false })

function hear(what: 'pong' | 'begin' | 'end' | 'reload' | 'lost', id: string): Promise<void> | undefined {
  if (what === 'lost') return comeBack()
  if (what === 'pong') pongs.add(id)
  else if (what === 'begin') {
    updates++
    for (const path of id.split('\n')) stale.delete(path)
  } else if (what === 'reload') leaving = true
  else updates--
  return undefined
}

/**
 * Changes do not reach this page any more: it is loaded again as soon as there is a desk, and everything typed is
 * saved. Until then it judges nothing.
 */
function comeBack(): Promise<void> {
  leaving = true
  return (comingBack ??= untilLoadedAgain())
}

async function untilLoadedAgain(): Promise<void> {
  while (!(await hasDesk())) await wait(RETRY_MS)
  // The desktop's own word: there is none in a page that did not come up.
  await (globalThis as { choirSettled?: () => Promise<void> }).choirSettled?.()
  location.reload()
}

async function hasDesk(): Promise<boolean> {
  const answer = await get('/@choir/ping', { cache: 'no-store', signal: limit(DESK_MS) }).catch(() => null)
  return answer?.ok === true
}

// If a module cannot be run, the old one stays in place: the page looks well, but would not come up the next time. Vite
// only writes this to the console.
const { error: complain } = console
let lastComplaint: Wrong | null = null
console.error = (...words: unknown[]) => {
  const text = words.map((word) => (word instanceof Error ? word.message : String(word))).join(' ')
  const path = /\[(?:vite|hmr)\].*Failed to reload (\S+?)\.?(?:\s|$)/.exec(text)?.[1]
  if (path !== undefined) stale.set(path, lastComplaint ?? wrong(text.slice(0, 300)))
  const thrown = words.find((word) => word instanceof Error)
  lastComplaint = thrown === undefined ? null : wrong(text.replace(/^\[vite\]\s*/, '').slice(0, 300), thrown)
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
    // A gateway that was restarted or asleep does not know this page yet: if it were not told, the frame would say for
    // good that the page does not answer.
    if (said !== undefined) send({ broken: said })
    // Its desk may have gone together with the gateway, even before this page could hear of it.
    if (connections++ > 0) void hotUpdatesArrive([]).then((arrive) => (arrive ? undefined : comeBack()))
  })
  own.addEventListener('message', (event) => void obey(JSON.parse(String(event.data)) as Order))
  own.addEventListener('close', () => later(connect, RETRY_MS))
}

async function obey({ judge, fresh, paths = [], reverted }: Order): Promise<void> {
  if (judge !== undefined) {
    judging = judge
    const found = await problem(fresh === true, paths)
    const stack = found === null ? '' : await Promise.race([choirWhere(found.thrown), wait(WHERE_MS).then(() => '')])
    // A page that is about to load again cannot speak for what it will show then.
    if (judging === judge && !leaving) send({ land: judge, ok: found === null, why: found?.message ?? '', stack })
  } else if (reverted === true) {
    judging = 0
    errors.length = 0
    if ((await problem(false, [])) !== null) location.reload()
  }
}

/** What is wrong with this page once a change has had time to arrive, or null. */
async function problem(fresh: boolean, paths: readonly string[]): Promise<Wrong | null> {
  if (!fresh) {
    errors.length = 0
    stale.clear()
  }
  await wait(fresh ? 0 : APPLY_MS)
  if (fresh) await Promise.race([loaded(), wait(FRESH_MS)])
  if (!(await hotUpdatesArrive(paths))) return errors[0] ?? wrong('changes no longer reach the page')
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
    if (performance.now() > deadline) return wrong(hidden)
    await wait(100)
  }
}

/** A module whose file is gone cannot be run, and need not be: removing an app leaves such modules behind. */
async function forgetRemoved(): Promise<void> {
  for (const path of stale.keys()) {
    // For a path without a file, Vite answers with the page itself.
    const answer = await get(path, { cache: 'no-store' }).catch(() => null)
    if (answer?.status === 404 || answer?.headers.get('content-type')?.includes('text/html') === true)
      stale.delete(path)
  }
}

function outOfReach(): string | null {
  if (!isHit('[aria-label="Ask ChoirOS"]')) return 'the prompt box cannot be reached'
  return isHit('[role="toolbar"][aria-label="Taskbar"]') ? null : 'the taskbar cannot be seen'
}

/** Resolves when every script of the page has run once. */
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
      if (sent.some((one) => pongs.has(one))) return true // A late answer counts too: slow is not dead.
      await wait(30)
    }
  }
  return false
}

/** Whether a person can really reach it: the element at its place on the screen is the element itself or lies in it. */
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

/** A page says once how it came up: if a person breaks it with their own edit, no landing judges that. */
async function sayHowItCameUp(): Promise<void> {
  said = (await problem(true, []))?.message ?? null
  if (!leaving) send({ broken: said })
  let before: string | null | undefined = said
  // And again when that changes for good: an edit that nobody judges can still break the page, and another can mend it.
  every(() => {
    const now = isVisible() && !leaving ? outOfReach() : said
    if (now === before && now !== said) send({ broken: (said = now) })
    before = now
  }, LOOK_AGAIN_MS)
}

/** The frame opens links that lead out of the computer; here the browser would silently do nothing. */
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
