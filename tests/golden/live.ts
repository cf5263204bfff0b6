/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises'
import type { FrameLocator, Page } from 'playwright-core'
import type { RunStatus } from '@choiros/contract/run-view.ts'
import { play, readScenario } from '../scenarios/scenario.ts'
import { launchChromium } from '../support/browser.ts'
import { choirHere } from '../support/choir.ts'
import { startAll } from '../support/front-door.ts'
import { lookAt } from '../support/log.ts'
import { askedOf, startScriptedModel, type Script, type ScriptedModel } from '../support/scripted-model.ts'
import { editMemory, NOTED_WISH, noteEverything } from './live-memory.ts'

/** Whoever lives in the home: each says what they do, and goes on when it has come of it. */
interface Life {
  readonly home: string
  readonly page: Page
  readonly desktop: FrameLocator
  readonly model: ScriptedModel
  choir(args: readonly string[], input?: string): Promise<string>
  wish(text: string, ends: RunStatus): Promise<void>
}

const RUN_MS = 90_000

/** A day at a computer with a little of everything in it. */
export async function live(home: string): Promise<void> {
  const running = await startAll(home)
  const model = await startScriptedModel(() => ({ text: 'ready' }))
  const browser = await launchChromium()
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.goto(running.link)
    const desktop = page.frameLocator('iframe[title="Desktop"]')
    await desktop.getByRole('toolbar', { name: 'Taskbar' }).waitFor()
    const life: Life = {
      home,
      page,
      desktop,
      model,
      choir: (args, input) => choir(home, args, input),
      wish: (text, ends) => wish(home, text, ends),
    }
    await changeFiles(life)
    await askForRecipes(life)
    await typeInWriter(life)
    await moveInHistory(life)
    await workWithAModel(life)
    await breakAnApp(life)
    await makeRoom(life)
    await lookAt(home).quiet()
  } finally {
    await browser.close()
    await running.stop()
    await model.close()
  }
}

async function choir(home: string, args: readonly string[], input = ''): Promise<string> {
  const outcome = await choirHere(home, args, input)
  if (outcome.code !== 0) throw new Error(`choir ${args.join(' ')}: ${outcome.text}${outcome.error}`)
  return outcome.text
}

/** Waits for the end and for the verdict of the open page. */
async function wish(home: string, text: string, ends: RunStatus): Promise<void> {
  await choir(home, ['prompt', text])
  const endMs = Date.now() + RUN_MS
  for (;;) {
    const [newest] = await lookAt(home).runs()
    if (newest?.status === ends && (ends !== 'landed' || newest.health !== null || newest.landed === null)) return
    if (Date.now() > endMs) throw new Error(`"${text}" should have ended as ${ends}: ${JSON.stringify(newest)}`)
    await delay(100)
  }
}

async function changeFiles({ choir: run }: Life): Promise<void> {
  await run(['write', 'artifacts/list.txt'], 'one\ntwo\nthree\n')
  await run(['write', 'artifacts/list.txt'], 'ONE\ntwo\nthree\n')
  await run(['write', 'artifacts/list.txt'], 'ONE\ntwo\nTHREE\n')
  await run(['mkdir', 'artifacts/trips'])
  await run(['write', 'artifacts/trips/to pack.txt', '--exec'], 'a hat\n')
  await run(['write', 'artifacts/link', '--symlink', 'list.txt'])
  await run(['mv', 'artifacts/trips', 'artifacts/journeys'])
  await run(['write', 'artifacts/large.bin'], 'x'.repeat(100_000))
  await run(['rm', 'artifacts/journeys/to pack.txt'])
  await run(['undo'])
}

async function askForRecipes({ wish: ask, choir: run, home }: Life): Promise<void> {
  await ask('make the accent teal', 'landed')
  await ask('an ocean wallpaper, and put the taskbar at the top', 'landed')
  await ask('give me somewhere to keep a shopping list', 'landed')
  await ask('what can you do', 'answered')
  await run(['prompt', 'change the text size'])
  while ((await lookAt(home).runs())[0]?.asking == null) await delay(50)
  await run(['answer', '18'])
  while ((await lookAt(home).runs())[0]?.status !== 'landed') await delay(50)
  await ask('undo that', 'landed')
  await ask('save this state as before the party', 'landed')
}

async function typeInWriter({ page, desktop, choir: run }: Life): Promise<void> {
  await desktop.getByRole('toolbar', { name: 'Taskbar' }).getByRole('button', { name: 'Writer', exact: true }).click()
  await desktop.getByRole('dialog', { name: 'Writer', exact: true }).waitFor()
  for (const words of ['What I type goes into the log ', 'in stretches, ', 'one after the other.']) {
    await page.keyboard.type(words, { delay: 15 })
    await delay(1500)
  }
  const title = desktop.getByRole('dialog').first()
  const box = await title.boundingBox()
  if (box === null) throw new Error('the window cannot be seen')
  await page.mouse.move(box.x + 80, box.y + 14)
  await page.mouse.down()
  await page.mouse.move(box.x + 200, box.y + 120, { steps: 5 })
  await page.mouse.up()
  await delay(1000)
  await run(['undo'])
  await run(['redo'])
  await title.getByRole('button', { name: 'Close' }).click()
}

async function moveInHistory({ choir: run, home }: Life): Promise<void> {
  const events = (await run(['events', '--json'])).trim().split('\n')
  const second =
    events
      .map((line) => JSON.parse(line) as { seq: number; type: string })
      .filter(({ type }) => type === 'file.change')[1]?.seq ?? 0
  await run(['undo', '--event', String(second)])
  await run(['checkpoint', 'before the mess'])
  await run(['rm', 'artifacts/list.txt'])
  await run(['write', 'artifacts/mess.txt'], 'mess\n')
  await run(['restore', 'before the mess'])
  await run(['undo'])
  await run(['undo', '--run', (await lookAt(home).runs()).find(({ text }) => text.includes('wallpaper'))?.run ?? ''])
}

/**
 * Passes the verifiers, and leaves the person without a taskbar: the page says so, and it is taken back by itself. Told
 * to mend it, it does the same again.
 */
const HIDDEN = `import { createRoot } from 'react-dom/client'
import { Desktop } from './shell/desktop.tsx'

// Only where a person has it open: elsewhere render would refuse it.
if ('choirWhere' in globalThis) document.body.hidden = true
createRoot(document.getElementById('desktop') as HTMLElement).render(<Desktop />)
`

const spoil: Script = (request) => {
  const { role, turn } = askedOf(request)
  if (role === 'director')
    return turn % 2 === 0
      ? { uses: [{ name: 'edit', input: { instruction: 'hide everything' } }] }
      : { text: 'All is hidden.' }
  if (turn > 0) return { text: 'Done.' }
  return {
    uses: [{ name: 'write', input: { path: 'app/main.tsx', text: HIDDEN } }],
  }
}

/** Writes a file, and then says nothing for ever: what is there when it is stopped is a draft. */
const writeOnce: Script = (request) => {
  const { role, turn } = askedOf(request)
  if (role === 'director')
    return {
      uses: [
        { name: 'read', input: { path: 'artifacts/list.txt' } },
        { name: 'edit', input: { instruction: 'write a poem', may_write: ['artifacts/'] } },
      ],
    }
  if (turn > 0) return { hang: true }
  return {
    uses: [
      { name: 'plan', input: { items: [{ text: 'Write a poem', state: 'doing' }] } },
      { name: 'write', input: { path: 'artifacts/poem.txt', text: 'Roses are red\n' } },
    ],
  }
}

/** Writes what it was allowed, and once more when that was taken back. */
const writeTwice: Script = (request) => {
  const { role, turn } = askedOf(request)
  if (role === 'director')
    return { uses: [{ name: 'edit', input: { instruction: 'write a rhyme', may_write: ['artifacts/'] } }] }
  if (turn > 1) return { hang: true }
  const write = { name: 'write', input: { path: 'artifacts/rhyme.txt', text: `Violets are blue ${turn}\n` } }
  return { uses: [write], pauseMs: turn * 5000 }
}

/** Whether a tool has written it: only then something of it is kept when the run is stopped. */
function wrote(events: string, path: string): boolean {
  const lines = events.split('\n')
  const begun = lines.findIndex((line) => line.includes('"type":"tool.call"') && line.includes(path))
  return begun !== -1 && lines.slice(begun).some((line) => line.includes('"type":"tool.result"'))
}

async function decideWhatAgentsMay({ model, choir: run, home }: Pick<Life, 'model' | 'choir' | 'home'>): Promise<void> {
  model.script = writeTwice
  await run(['mood', 'skeptical'])
  await run(['prompt', 'a rhyme, and be careful'])
  while (!(await run(['approvals'])).startsWith('waiting')) await delay(50)
  await run(['approve', 'computer'])
  while (!wrote(await run(['events', '--json']), 'artifacts/rhyme.txt')) await delay(100)
  const lease = (await run(['leases']))
    .split('\n')
    .find((line) => line.includes('write'))
    ?.split(' ')[0]
  await run(['leases', 'revoke', lease ?? ''])
  while (!(await run(['events', '--json'])).includes('receipt.policy')) await delay(100)
  await run(['stop'])
  while ((await lookAt(home).runs())[0]?.status !== 'cancelled') await delay(50)
  await run(['approvals', 'revoke', /^ {2}(\w+)/m.exec(await run(['approvals']))?.[1] ?? ''])
  await run(['mood', 'auto'])
}

async function workWithAModel({ model, choir: run, wish: ask, home }: Life): Promise<void> {
  await run([
    'model',
    'set',
    '--provider',
    'openai-compatible',
    '--url',
    model.url,
    '--model',
    'scripted',
    '--prices',
    '3,15',
  ])
  await run(['model', 'caps', '--run', '400000', '--day', '2000000', '--money', '5'])
  const tip = readScenario('tip-calculator')
  model.script = play(tip)
  await ask(tip.wish, 'landed')
  model.script = noteEverything
  await ask(NOTED_WISH, 'answered')
  await editMemory(run)
  const never = readScenario('never-compiles')
  model.script = play(never)
  await ask(never.wish, 'discarded')
  model.script = spoil
  await ask('show nothing at all', 'reverted')
  model.script = () => ({ hang: true })
  await run(['prompt', 'think about it for ever'])
  await delay(500)
  await run(['stop'])
  model.script = writeOnce
  // Until the tool has ended: one that is stopped in the middle leaves no draft, and this would wait for ever.
  await run(['prompt', 'a poem, and take your time'])
  while (!wrote(await run(['events', '--json']), 'artifacts/poem.txt')) await delay(100)
  await run(['stop'])
  while ((await lookAt(home).runs())[0]?.draft == null) await delay(50)
  await run(['runs', '--drop', (await lookAt(home).runs())[0]?.run ?? ''])
  await decideWhatAgentsMay({ model, choir: run, home })
  await run(['model', 'remove'])
}

/** Works at first, and throws as soon as it is clicked. */
const BRITTLE = `import { useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'

function Brittle() {
  const [words, setWords] = useState<string | null>('Press me')
  return <button type="button" onClick={() => setWords(null)}>{(words as string).trim()}</button>
}

export default defineApp({ id: 'brittle', title: 'Brittle', glyph: '!', size: { width: 320, height: 240 }, Content: Brittle })
`

async function breakAnApp({ desktop, choir: run }: Life): Promise<void> {
  const path = 'app/apps/brittle/app.tsx'
  const event = async (type: string) => {
    while (!(await run(['events', '--json'])).includes(`"type":"${type}"`)) await delay(100)
  }
  await run(['write', path], BRITTLE)
  await desktop.getByRole('button', { name: 'Brittle', exact: true }).click()
  await desktop.getByRole('button', { name: 'Press me' }).click()
  await event('render.error')
  await run(['write', path], BRITTLE.replace('setWords(null)', "setWords('Thanks')"))
  await event('render.well')
}

async function makeRoom({ choir: run }: Life): Promise<void> {
  await run(['write', 'artifacts/secret.txt'], 'a secret')
  await run(['write', 'artifacts/secret.txt'], 'no secret')
  await run(['erase', 'artifacts/secret.txt', '--yes', '--reason', 'private'])
  await run(['checkpoint', 'the end'])
}
