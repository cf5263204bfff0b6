import type { Seq } from '@choiros/contract/ids.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

const FILE = 'app/planted.ts'
const write = (value: string) => plant({ writes: [{ path: FILE, text: `export const planted = '${value}'\n` }] })
const WHY = 'planted: nothing can be seen'

// What real pages say about really bad code is in tests/e2e/bad-rewrites; here is what follows from it.
describe('[L8] the person is never locked out', { timeout: 60_000 }, () => {
  const folder = temporaryFolder()
  let home: RunHome
  let computer: Computer
  let count = 0
  const pages = async (visible: number) =>
    (await home.run('health.pages', { visible }, { computer: computer.id, caller: 'gateway' })).pending
  const report = (land: Seq, ok: boolean) =>
    home.run('health.report', { land, ok, why: WHY }, { computer: computer.id, caller: 'gateway' })
  const asFrame = { caller: 'frame' as const }
  const landing = async (): Promise<Seq> => {
    await expect.poll(() => pages(1), { interval: 10, timeout: 10_000 }).not.toBeNull()
    return (await pages(1)) as Seq
  }
  const messages = async () =>
    (await home.events(computer))
      .filter(({ type }) => type === 'message')
      .map(({ data }) => (data as { text: string }).text)

  const open = () => {
    home = openRunHome(folder, { machine: { warn: () => {} } })
  }

  beforeAll(async () => {
    await plantAgents(folder)
    open()
  })
  beforeEach(async () => {
    computer = await home.addComputer(`c${++count}`)
  })
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  test('what a page finds bad is taken back by itself, at once, and the person is told why', async () => {
    await pages(1)
    const run = await home.ask(computer, write('bad'))
    const land = await landing()
    const startMs = Date.now()
    await report(land, false)
    expect(await home.ended(computer, run)).toMatchObject({ status: 'reverted' })
    expect(Date.now() - startMs).toBeLessThan(2000)
    expect(computer.queries.tree.entry(FILE)).toBeNull()
    expect((await messages()).at(-1)).toContain(WHY)
  })

  test('where nobody looked it is judged by the next page', async () => {
    expect(await home.prompt(computer, write('bad'))).toMatchObject({ status: 'landed' })
    await report(await landing(), false)
    expect((await home.run('run.list', { limit: 1 }, { computer: computer.id }))[0]).toMatchObject({
      status: 'reverted',
    })
    expect(computer.queries.tree.entry(FILE)).toBeNull()
    expect(await pages(1)).toBeNull()
  })

  test('what cannot be taken back is not shown: the desk serves what last worked, and everything else still works', async () => {
    await pages(1)
    const good = await home.ask(computer, write('good'))
    const healthy = await landing()
    await report(healthy, true)
    expect(await home.ended(computer, good)).toMatchObject({ status: 'landed' })
    const bad = await home.ask(computer, write('bad'))
    const land = await landing()
    // On the very line: to take the landing back would lose it.
    await home.write(computer, FILE, "export const planted = 'mine'\n")
    await report(land, false)
    expect(await home.ended(computer, bad)).toMatchObject({ status: 'landed' })
    expect(await home.run('safe-mode.get', {}, { ...asFrame, computer: computer.id })).toEqual({ on: true, healthy })
    expect(await home.read(computer, FILE)).toContain('mine')
    expect((await messages()).at(-1)).toMatch(/could not be taken back.*as it last worked/)

    const { name } = computer
    await home.close()
    open()
    computer = await home.computer(undefined, name)
    await (await home.session(undefined, name)).safeMode.prepare() // As when a page opens after a restart.
    expect(await home.run('safe-mode.get', {}, { ...asFrame, computer: computer.id })).toEqual({ on: true, healthy })

    const slow = await home.ask(computer, plant({ writes: [], waitMs: 20_000 }))
    expect(await home.run('stop', { run: null }, { ...asFrame, computer: computer.id })).toEqual({
      stopped: [slow.run],
    })
    await home.run(
      'undo',
      { target: { kind: 'newest', scope: 'any' }, tree: null },
      { ...asFrame, computer: computer.id },
    )
    expect(await home.run('safe-mode', { on: false }, { ...asFrame, computer: computer.id })).toMatchObject({
      on: false,
    })
    expect(await home.run('verify', {}, { computer: computer.id })).toMatchObject({ ok: true })
  })

  const document = (value: string) =>
    plant({ writes: [{ path: 'artifacts/note.txt', text: value }], scope: ['artifacts/'] })
  const healthy = async (text: string): Promise<Seq> => {
    await pages(1)
    const run = await home.ask(computer, text)
    const land = await landing()
    await report(land, true)
    expect(await home.ended(computer, run)).toMatchObject({ status: 'landed' })
    return land
  }
  const safeMode = () => home.run('safe-mode', { on: true }, { ...asFrame, computer: computer.id })
  /** An open page keeps what it has loaded, and says that all is well; no other page would come up. */
  const breakUnderPage = () => home.write(computer, 'app/shell/desktop.tsx', 'export function Desktop( {\n')

  test('what an open page found healthy is no way back where no fresh desk starts on it: safe mode shows an older one', async () => {
    const good = await healthy(write('good'))
    await breakUnderPage()
    await healthy(document('one'))
    await healthy(document('two'))
    expect(await safeMode()).toEqual({ on: true, healthy: good })
  })

  test('where none of them starts, safe mode shows the desktop of the release', async () => {
    await breakUnderPage()
    await healthy(document('one'))
    expect(await safeMode()).toEqual({ on: true, healthy: null })
    const served = await (await home.session(undefined, computer.id)).dialDesk()
    served.write('GET /shell/desktop.tsx HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    expect((await served.setEncoding('utf8').toArray()).join('')).toMatch(/^HTTP\/1\.1 200 [^]*Desktop/)
    expect(await home.run('safe-mode', { on: false }, { ...asFrame, computer: computer.id })).toMatchObject({
      on: false,
    })
  })
})
