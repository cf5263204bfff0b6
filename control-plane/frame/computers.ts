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

async function choose(computer: string): Promise<void> {
  choice.disabled = true
  await fetch('/computer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ computer }),
  })
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
