import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import { DirectorTask } from '@choiros/contract/tasks.ts'
import type { RunAtWork, RunTools } from '@choiros/supervisor/runs/run.ts'
import { runTogether } from '@choiros/supervisor/runs/together.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { askedOf, startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'

const appOf = (id: string, before = '', shown = id) => `import { defineApp } from '@choiros/sdk/app.ts'
${before}
function Main() {
  return <p>{${JSON.stringify(shown)}}</p>
}

export default defineApp({ id: '${id}', title: '${id}', glyph: '⚄', size: { width: 320, height: 240 }, Content: Main })
`
const use = (name: string, input: unknown): Scripted => ({ uses: [{ name, input }] })
const task = (name: string, ...may: string[]) => ({ instruction: `make ${name}`, may_write: may })

describe('several hands at once', { timeout: 90_000 }, () => {
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer

  beforeAll(async () => {
    model = await startScriptedModel(() => ({ text: 'Hello.' }))
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelLimits: { stallMs: 5000, pauseMs: 10 } })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    removeFolders()
  })

  /** Each hand is known by its task; both wait until the other has begun. */
  const ask = async (
    tasks: object[],
    writes: Record<string, { path: string; text: string }>,
    last = 'There they are.',
    hands = tasks.length,
  ) => {
    const begun = new Set<string>()
    let both: () => void = () => {}
    const together = new Promise<void>((resolve) => (both = resolve))
    model.script = async (request) => {
      const { role, turn, all } = askedOf(request)
      if (role === 'director') return turn === 0 ? use('together', { tasks }) : { text: last }
      const hand = Object.keys(writes).find((name) => all.includes(`make ${name}`)) ?? ''
      begun.add(hand)
      if (begun.size === hands) both()
      await together
      return turn === 0 ? use('write', writes[hand]) : { text: `There is ${hand} now.` }
    }
    return home.prompt(computer, 'two small things that greet me')
  }
  const treeHash = async () => (await home.run('tree', { at: null }, { computer: computer.id })).hash
  const typesOf = async (run: string) =>
    (await home.events(computer)).filter((event) => event.run === run).map(({ type }) => type)

  test('tasks whose files do not meet are worked on at the same time and land as one event', async () => {
    const before = await treeHash()
    const run = await ask([task('one', 'app/apps/one/'), task('two', 'app/apps/two/')], {
      one: { path: 'app/apps/one/app.tsx', text: appOf('one') },
      two: { path: 'app/apps/two/app.tsx', text: appOf('two') },
    })
    expect(run).toMatchObject({ status: 'landed', reply: 'There they are.' })
    const types = await typesOf(run.run)
    expect(types.filter((type) => type === 'run.land')).toHaveLength(1)
    expect(types.indexOf('task.result')).toBeGreaterThan(types.lastIndexOf('task.request'))
    const { changes } = await home.run(
      'undo.preview',
      { target: { kind: 'run', run: run.run } },
      { computer: computer.id },
    )
    expect(changes.map(({ path }) => path).sort()).toEqual(['app/apps/one/app.tsx', 'app/apps/two/app.tsx'])
    await home.run('undo', { target: { kind: 'run', run: run.run }, tree: null }, { computer: computer.id })
    expect(await treeHash()).toBe(before)
  })

  test('[L12] what passes alone and does not fit together does not land, and is kept as a draft', async () => {
    await home.write(
      computer,
      'app/greeting.ts',
      'export function greet(times: number): string {\n  return `hi ${times}`\n}\n',
    )
    const before = await treeHash()
    const run = await ask([task('one', 'app/apps/one/'), task('two', 'app/greeting.ts')], {
      one: {
        path: 'app/apps/one/app.tsx',
        text: appOf(
          'one',
          "import { greet } from '../../greeting.ts'\nconst words = greet(1)\nif (words === '') throw new Error(words)\n",
        ),
      },
      two: {
        path: 'app/greeting.ts',
        text: 'export function greet(times: string): string {\n  return `hi ${times}`\n}\n',
      },
    })
    expect(run).toMatchObject({ status: 'discarded', reply: expect.stringContaining('Nothing was changed') as string })
    expect(run.draft?.files).toBe(2)
    expect(await treeHash()).toBe(before)
    const told = model.seen.map(askedOf).findLast(({ role }) => role === 'director')
    expect(told?.last).toContain('does not fit together')
  })

  test('one that the person does not allow takes nothing from the other', async () => {
    await home.run('mood.pin', { mood: 'SKEPTICAL' }, { computer: computer.id })
    const asked = ask(
      [task('four', 'app/apps/four/'), task('five', 'artifacts/five.txt')],
      {
        four: { path: 'app/apps/four/app.tsx', text: appOf('four') },
        five: { path: 'artifacts/five.txt', text: 'five' },
      },
      'There is one of them.',
      1,
    )
    const open = async () => (await home.run('approval.list', {}, { computer: computer.id })).open
    await expect.poll(open, { timeout: 30_000 }).toHaveLength(1)
    const [{ approval } = { approval: '' }] = await open()
    await home.run('approval.answer', { approval, answer: 'deny' }, { computer: computer.id })
    expect(await asked).toMatchObject({ status: 'landed' })
    expect(await home.read(computer, 'app/apps/four/app.tsx')).toBe(appOf('four'))
    await home.run('mood.unpin', {}, { computer: computer.id })
  })

  test('[L11] what a run may do only so often, its hands may together, and each has a name of its own', async () => {
    const noted = 15
    model.script = (request) => {
      const { role, turn, all } = askedOf(request)
      const tasks = [task('six', 'app/apps/six/'), task('seven', 'app/apps/seven/')]
      if (role === 'director') return turn === 0 ? use('together', { tasks }) : { text: 'Noted.' }
      const hand = all.includes('make six') ? 'six' : 'seven'
      const words = Array.from({ length: noted }, (_, index) => `${hand} has wheel number ${index}`)
      const uses = words.map((text) => ({ name: 'note', input: { kind: 'conjecture', text } }))
      return turn === 0 ? { uses } : { text: 'That is all.' }
    }
    const { run } = await home.prompt(computer, 'count the wheels of both')
    const notes = (await typesOf(run)).filter((type) => type.startsWith('note.'))
    expect(notes).toHaveLength(LIMITS.notesPerRunMax)
    const same = ['app/apps/six/', 'app/apps/seven/'].map((scope) =>
      DirectorTask.parse({ task_id: 'same', kind: 'edit_repo', instruction: 'x', write_scope: [scope] }),
    )
    await expect(runTogether({} as RunTools, {} as RunAtWork, same)).rejects.toThrow('names of their own')
  })

  test('one that fails does not take the other with it, and what it wrote is kept', async () => {
    const run = await ask([task('one', 'app/apps/one/'), task('three', 'app/apps/three/')], {
      one: { path: 'app/apps/one/app.tsx', text: appOf('one') },
      three: { path: 'app/apps/three/app.tsx', text: 'export default 1 as never as string(' },
    })
    expect(run).toMatchObject({ status: 'landed' })
    const { files } = await home.run('tree', { at: null }, { computer: computer.id })
    expect([Object.hasOwn(files, 'app/apps/one/app.tsx'), Object.hasOwn(files, 'app/apps/three/app.tsx')]).toEqual([
      true,
      false,
    ])
  })
})
