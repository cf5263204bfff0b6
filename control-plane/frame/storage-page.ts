import { run } from './ask.ts'
import { bar } from './bar.ts'
import type { RoomView } from './contract.ts'
import { nameComputer } from './own-computer.ts'

/**
 * How much the computer holds of what it may hold, and the way to make room. There is no desktop on this page that
 * could move what the person is about to click.
 */
const HOUR_MS = 3_600_000
const SHOW_EVERY_MS = 5000

const element = (id: string) => document.getElementById(id) as HTMLElement
const form = element('thin-form') as HTMLFormElement
const age = form.elements.namedItem('age') as HTMLSelectElement
const said = element('thin-said')
const tell = (text: string) => (said.textContent = text)
const fail = (error: unknown) => tell(error instanceof Error ? error.message : String(error))

function size(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1024
  const digits = unit === 0 || value >= 100 || Number.isInteger(value) ? 0 : 1
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${units[unit]}`
}

const count = (number: number, one: string) => `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`

function draw({ files, versions, history }: RoomView): void {
  element('bars').replaceChildren(
    bar({ title: 'Files', used: files.bytes, limit: files.max, words: size }),
    bar({
      title: 'Number of files',
      used: files.count,
      limit: files.countMax,
      words: (value) => value.toLocaleString('en'),
    }),
    bar({ title: 'Old versions', used: versions.bytes, limit: versions.max, words: size }),
    bar({ title: 'History', used: history.bytes, limit: history.max, words: size }),
  )
}

const show = async () => draw(await run('room', {}))

/** The choice at the time of the question: it may change while the question is open. */
let olderThanMs = 0

function close(): void {
  element('sure').hidden = true
  form.hidden = false
}

async function ask(): Promise<void> {
  olderThanMs = Number(age.value) * HOUR_MS
  tell('Looking…')
  const plan = await run('thin.preview', { olderThanMs })
  if (plan.versions === 0)
    return void tell('There is nothing to remove: what is that old is still needed, or there is none.')
  tell('')
  const all = `${count(plan.versions, 'old version')} of ${count(plan.files, 'file')}`
  element('sure-text').textContent =
    `${all} would be removed for good. This makes room for ${size(plan.bytes)}. No undo brings them back.`
  form.hidden = true
  element('sure').hidden = false
  element('sure-text').focus()
}

async function thin(): Promise<void> {
  close()
  tell('Removing…')
  const done = await run('thin', { olderThanMs })
  draw(done.room)
  tell(
    `${count(done.versions, 'old version')} removed: room for ${size(done.bytes)}.${done.more ? ' There is more: make room again.' : ''}`,
  )
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask().catch(fail)
})
element('thin').addEventListener('click', () => void thin().catch(fail))
element('keep').addEventListener('click', () => {
  close()
  tell('Nothing was removed.')
})
setInterval(() => void show().catch(() => {}), SHOW_EVERY_MS) // One missed answer is not worth a message.
Promise.all([show(), nameComputer()]).catch(fail)
