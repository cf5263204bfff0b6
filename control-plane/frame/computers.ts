import { run } from './ask.ts'

/** Which of their computers the person looks at. With only one there is nothing to choose. */
const choice = document.getElementById('computer') as HTMLSelectElement
/**
 * Shown while saved files cannot be put in place: nothing else would tell the person. It goes away when the cause does.
 */
const storage = document.getElementById('storage') as HTMLElement
const LOOK_EVERY_MS = 10_000

async function show(): Promise<void> {
  const [computers, response] = await Promise.all([run('computer.list', {}), fetch('/computer')])
  const { computer } = (await response.json()) as { computer: string }
  choice.replaceChildren(...computers.map(({ id, name }) => new Option(name, id, false, id === computer)))
  choice.hidden = computers.length < 2
  const problem = computers.find(({ id }) => id === computer)?.problem ?? null
  if (storage.textContent !== (problem ?? '')) storage.textContent = problem
  storage.hidden = problem === null
}

/** Tells the frames in this person's other tabs: they share the sign-in, and with it the computer. */
const tabs = new BroadcastChannel('choir-computer')
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- It reaches pages of this origin alone.
const tell = (what: 'leave' | 'chosen') => tabs.postMessage(what)
/** How long the last save of a desktop that is closed may take. */
const LAST_SAVE_MS = 400
const UNLOAD_MS = 1000

/** A desktop saves what was typed when its page goes, which must be before its address is nobody's. */
async function leaveDesktop(): Promise<void> {
  const desktop = document.querySelector('iframe')
  if (desktop === null) return
  const gone = new Promise((resolve) => desktop.addEventListener('load', resolve, { once: true }))
  desktop.src = 'about:blank'
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, UNLOAD_MS))])
  await new Promise((resolve) => setTimeout(resolve, LAST_SAVE_MS))
}

/** Should the tab that chooses be gone before it says so, the others come back by themselves. */
const CHOSEN_WITHIN_MS = 5000
tabs.addEventListener('message', ({ data }) => {
  if (data !== 'leave') return location.reload()
  setTimeout(() => location.reload(), CHOSEN_WITHIN_MS)
  void leaveDesktop()
})

async function choose(computer: string): Promise<void> {
  choice.disabled = true
  tell('leave')
  await leaveDesktop()
  await fetch('/computer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ computer }),
  }).catch(() => {}) // Then it is still the one before, and every tab shows that again.
  tell('chosen')
  location.reload() // Its desktop has another address, which this page may not show.
}

choice.addEventListener('change', () => void choose(choice.value))
// A computer that was made meanwhile, for example by a fork, is in the list when the person opens it.
choice.addEventListener('focus', () => void show().catch(() => {}))
addEventListener('focus', () => void show().catch(() => {}))
setInterval(() => {
  if (document.visibilityState === 'visible' && document.activeElement !== choice) void show().catch(() => {})
}, LOOK_EVERY_MS)
show().catch(() => {}) // The frame's own line says that the connection is lost.
