import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { readEvent } from '@choiros/contract/event.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { LookStep } from '@choiros/contract/look.ts'
import { TreePath } from '@choiros/contract/path.ts'
import type { RunView } from '@choiros/contract/run-view.ts'
import { hashTree, type TreeMap } from '@choiros/core/tree.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { findBrowser } from '@choiros/supervisor/desk/browser.ts'
import { lookAt, type LookTools } from '@choiros/supervisor/runs/look.ts'
import { keepPictures } from '@choiros/supervisor/runs/pictures.ts'
import { openTrees } from '@choiros/supervisor/tree/trees.ts'
import { join } from 'node:path'
import { play, readScenario } from '../scenarios/scenario.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { askedOf, startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'

const UNTIL_MS = 20_000

/** Shows what it has to show only after a while. */
const LATE = `import { useEffect, useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'
function Late() {
  const [is, set] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => set(true), 2500)
    return () => clearTimeout(timer)
  }, [])
  return <p>{is ? 'It is done' : 'It runs'}</p>
}
export default defineApp({ id: 'late', title: 'Late', glyph: 'L', size: { width: 300, height: 200 }, Content: Late })
`

function withApp(tree: TreeMap, id: string, source: string) {
  const bytes = Buffer.from(source)
  const object = sha256(bytes)
  const entry: Entry = { kind: 'file', mode: '644', object, size: bytes.length }
  const path = TreePath.parse(`app/apps/${id}/app.tsx`)
  return { tree: new Map([...tree, [path, entry]]), objects: new Map([[object, { hash: object, bytes }]]) }
}

describe('pictures of a run', { timeout: 90_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer
  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'Hello.' }))
    home = openRunHome(temporaryFolder(), { modelUrl: model.url })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })
  const land = async (scenario: string): Promise<RunView> => {
    model.script = play(readScenario(scenario))
    const run = await home.prompt(computer, 'I want to roll some dice')
    expect(run.status).toBe('landed')
    return run
  }
  const picturesOf = (run: RunView, caller: 'desktop' | 'frame' = 'desktop') =>
    home.run('run.pictures', { run: run.run }, { computer: computer.id, caller })
  const told = async (run: RunView) => (await picturesOf(run)).map(({ moment, app }) => `${moment} ${app ?? 'desktop'}`)
  const until = async (run: RunView, wanted: readonly string[]) => {
    const deadline = performance.now() + UNTIL_MS
    while ((await told(run)).length < wanted.length && performance.now() < deadline) await delay(100)
    expect(await told(run)).toEqual(wanted)
  }
  const receiptsOf = async ({ run, asked }: RunView) =>
    (await computer.log.read({ after: asked - 1, limit: 1000 }))
      .map(readEvent)
      .filter((event) => event.run === run && event.type === 'receipt.verifier')

  test('what it looked like before and with the change is kept, and given out as a picture of that run alone', async () => {
    const first = await land('dice-app')
    // The app was not there before.
    await until(first, ['before desktop', 'after desktop', 'after dice'])
    const [before, after] = await picturesOf(first)
    expect([before?.width, before?.height, after?.width]).toEqual([1280, 800, 1280])
    const shown = await home.run(
      'run.picture',
      { run: first.run, object: after!.object },
      { computer: computer.id, caller: 'desktop' },
    )
    expect(shown.type).toBe('image/jpeg')
    expect(Buffer.from(shown.base64, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff')
    const file = [...computer.queries.allEntries()].find(([path]) => path === 'app/main.tsx')?.[1].object
    await expect(
      home.run('run.picture', { run: first.run, object: file! }, { computer: computer.id, caller: 'desktop' }),
    ).rejects.toMatchObject({ code: 'object.missing' })
  })

  test('the receipts say by what means each verifier came to its word, and whether it is the code’s own', async () => {
    const [run] = await home.run('run.list', { limit: 1 }, { computer: computer.id })
    const said = (await receiptsOf(run!)).map(
      ({ data }) => `${String(data.verifier)} ${String(data.means)} ${String(data.selfReported)}`,
    )
    expect([...new Set(said)].sort()).toEqual([
      'policy reading false',
      'render browser true',
      'transform reading false',
      'types reading false',
    ])
  })

  test('[L2] they are in the tables that a replay gives', async () => {
    const { matches } = await home.run('replay', { to: null }, { computer: computer.id })
    expect(matches).toBe(true)
  })

  test('[L11] what is no JPEG or too large is not kept, and no more than so many of one run are', async () => {
    const [run] = await home.run('run.list', { limit: 1 }, { computer: computer.id })
    const before = await told(run!)
    const tree = hashTree(new Map(computer.queries.allEntries()))
    const jpeg = (bytes: number) =>
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(bytes)]).toString('base64')
    const sent = (app: string, base64: string) => ({ app, picture: { base64, width: 10, height: 10 } })
    await keepPictures(computer, run!.run, 'after', tree, [
      sent('html', Buffer.from('<script>1</script>').toString('base64')),
      sent('large', jpeg(LIMITS.pictureBytesMax)),
    ])
    expect(await told(run!)).toEqual(before)
    for (let app = 0; app < LIMITS.picturesPerRunMax + 5; app++)
      await keepPictures(computer, run!.run, 'after', tree, [sent(`a${app}`, jpeg(app))])
    expect(await told(run!)).toHaveLength(LIMITS.picturesPerRunMax)
  })

  test('whoever has looked at its work ends with its last word: open eyes hold nothing up', async () => {
    const write = { path: 'artifacts/seen.txt', text: 'seen\n' }
    model.script = (request) => {
      const { role, turn } = askedOf(request)
      if (role === 'director')
        return turn === 0
          ? { uses: [{ name: 'edit', input: { instruction: 'x', may_write: ['artifacts/'] } }] }
          : { text: 'There it is.' }
      const uses = [
        { name: 'write', input: write },
        { name: 'see', input: { app: 'files' } },
      ]
      return turn === 0 ? { uses } : { text: 'A text is there.' }
    }
    const beganMs = performance.now()
    expect(await home.prompt(computer, 'a text that I will see')).toMatchObject({ status: 'landed' })
    expect(performance.now() - beganMs).toBeLessThan(UNTIL_MS)
  })

  test('lookAt clicks through a tree’s desktop and tells what is there', async () => {
    const { host, toolchain } = await home.equipment()
    const tools: LookTools = {
      host,
      trees: openTrees(join(temporaryFolder(), 'trees'), (hash) => computer.objects.get(hash)),
      packages: join(toolchain.folder, 'node_modules'),
      browser: findBrowser(),
    }
    const at = { tree: new Map(computer.queries.allEntries()), name: 'eyes-test' }
    const { signal } = new AbortController()
    const seen = await lookAt(tools, at, { app: 'files', width: 390, height: 844, theme: 'light' }, signal)
    expect([seen.findings, seen.stopped, seen.picture?.width]).toEqual([[], null, 390])
    expect(seen.outline).toContain('dialog "Files"')
    const clicked = await lookAt(tools, at, { app: 'files', steps: [{ click: 'Close Files' }] }, signal)
    expect([clicked.stopped, clicked.outline.includes('dialog "Files"')]).toEqual([null, false])
    expect(clicked.console).toEqual([])
    const none = await lookAt(tools, at, { app: 'filez' }, signal)
    expect(none.findings[0]?.message).toMatch(/^there is no app "filez" to open; there are .*files/)
    const lost = await lookAt(tools, at, { steps: [{ click: 'No such thing' }] }, signal)
    expect(lost.stopped).toBe('step 1: there is nothing called "No such thing" to click')
    const { tree, objects } = withApp(at.tree, 'late', LATE)
    const late = (step: LookStep) =>
      lookAt(tools, { tree, objects, name: 'late' }, { app: 'late', steps: [step] }, signal)
    expect((await late({ click: 'Late' })).outline).not.toContain('It is done')
    expect(await late({ wait: 8000, for: 'It is done' })).toMatchObject({
      stopped: null,
      outline: expect.stringContaining('It is done') as string,
    })
    expect((await late({ wait: 300, for: 'Never' })).stopped).toBe('step 1: "Never" did not appear within 300 ms')
    await expect(lookAt({ ...tools, browser: null }, at, {}, signal)).rejects.toMatchObject({
      code: 'sandbox.unavailable',
    })
  })
})
