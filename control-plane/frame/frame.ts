/** The frame's own script. It never touches the desktop's page: the two are different sites, and what it shows it asks the supervisor. */
interface Plan {
  readonly target: { readonly seq: number; readonly title: string }
  readonly changes: readonly { readonly path: string }[]
  readonly conflicts: readonly { readonly path: string; readonly why: string }[]
  readonly tree: string | null
}

const element = (id: string) => document.getElementById(id) as HTMLButtonElement
const notice = document.getElementById('notice') as HTMLElement
const UNDO_TARGET = { kind: 'newest', scope: 'any' }
const RETRY_MS = [250, 500, 1000, 2000, 5000]

async function run(command: string, input: unknown): Promise<unknown> {
  const response = await fetch('/command', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command, input }),
  })
  const lines = (await response.text()).trim().split('\n')
  const answer = JSON.parse(lines.at(-1) ?? '{}') as { result?: unknown; error?: { code: string; message: string } }
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
  return answer.result
}

function say(text: string): void {
  notice.textContent = text
}

/** The buttons say what they will do before they do it. */
async function refresh(): Promise<void> {
  for (const [id, command, input, verb] of [
    ['undo', 'undo.preview', { target: UNDO_TARGET }, 'Undo'],
    ['redo', 'redo.preview', {}, 'Redo'],
  ] as const) {
    const button = element(id)
    try {
      const plan = (await run(command, input)) as Plan
      button.disabled = false
      button.title =
        plan.conflicts.length > 0
          ? `${verb} would lose later work in ${plan.conflicts.map((conflict) => conflict.path).join(', ')}`
          : `${verb}: ${plan.target.title}`
    } catch (error) {
      button.disabled = true
      button.title = (error as Error).message
    }
  }
}

async function act(command: 'undo' | 'redo'): Promise<void> {
  element(command).disabled = true
  try {
    const done = (await run(command, command === 'undo' ? { target: UNDO_TARGET, tree: null } : {})) as Plan
    say(`${command === 'undo' ? 'Took back' : 'Brought back'}: ${done.target.title}`)
  } catch (error) {
    say((error as Error).message)
  }
  await refresh()
}

/** Follows the log, so that the buttons are right whoever changed something; resumes by itself. */
function follow(attempt = 0): void {
  let timer: number | undefined
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/events?after=head`)
  socket.addEventListener('open', () => {
    attempt = 0
    say('')
    void refresh()
  })
  socket.addEventListener('message', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), 100)
  })
  socket.addEventListener('close', () => {
    say('Connection lost; trying again…')
    setTimeout(() => follow(attempt + 1), RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
  })
}

element('undo').addEventListener('click', () => void act('undo'))
element('redo').addEventListener('click', () => void act('redo'))
element('sign-out').addEventListener('click', () => void fetch('/sign-out', { method: 'POST' }).then(() => location.replace('/sign-in')))
void refresh()
follow()
