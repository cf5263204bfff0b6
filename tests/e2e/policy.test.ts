import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '@choiros/contract/event.ts'
import { MoodName, type ApprovalWord } from '@choiros/contract/policy.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

describe('what the person says about what agents may do', { timeout: 120_000 }, () => {
  let home: RunHome
  let computer: Computer
  let seq = 0

  beforeAll(async () => {
    const folder = temporaryFolder()
    await plantAgents(folder)
    home = openRunHome(folder, { patienceMs: 20_000 })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    removeFolders()
  })
  beforeEach(async () => {
    await home.run('mood.unpin', {}, as())
    seq = computer.head().seq
  })

  const as = () => ({ computer: computer.id })
  const dataOf = async (type: string): Promise<Event['data'][]> =>
    (await home.events(computer)).filter((event) => event.seq > seq && event.type === type).map(({ data }) => data)
  const approvals = () => home.run('approval.list', {}, as())
  const openApproval = async () => {
    await expect.poll(async () => (await approvals()).open.length, { timeout: 20_000 }).toBe(1)
    return (await approvals()).open[0]!
  }
  const say = (approval: string, word: ApprovalWord) => home.run('approval.answer', { approval, answer: word }, as())
  const writeBeyond = (more: object = {}) =>
    plant({ scope: ['artifacts/'], shell: 'date +%N >> artifacts/beyond.txt', ...more })

  test('[L15] recipes are as quick and as free in every mood as in the usual one', async () => {
    for (const [index, mood] of MoodName.options.entries()) {
      await home.run('mood.pin', { mood }, as())
      const theme = index % 2 === 0 ? 'light' : 'dark'
      const run = await home.prompt(computer, `${theme} theme please`)
      expect([mood, run.status, run.mood]).toEqual([mood, 'landed', { mood, why: '', by: 'person' }])
      const note = await home.prompt(computer, `write a note called ${mood.toLowerCase()}`)
      expect([mood, note.status]).toEqual([mood, 'landed'])
    }
    expect([await dataOf('approval.ask'), await dataOf('receipt.policy')]).toEqual([[], []])
  })

  test('a run is careful after its forerunner was taken back, and calm again after one that was kept', async () => {
    const moodOf = async (text: string) => (await home.prompt(computer, text)).mood
    const calm = { mood: 'CALM', why: '', by: 'rules' }
    const { run, mood } = await home.prompt(computer, 'add a clock')
    expect(mood).toEqual(calm)
    await home.run('undo', { target: { kind: 'run', run }, tree: null }, as())
    expect((await home.run('mood.get', {}, as())).now).toEqual({
      mood: 'CONTRITE',
      why: 'the last change was taken back',
      by: 'rules',
    })
    expect(await moodOf('add a clock')).toEqual({
      mood: 'CONTRITE',
      why: 'the last change was taken back',
      by: 'rules',
    })
    expect(await moodOf('remove the clock')).toEqual(calm)
  })

  test('[L4] a permission to write that is taken back while a run works ends what it writes', async () => {
    const tries = [{ waitMs: 1500 }, { tool: 'write' }, { tool: 'read' }]
    const asked = await home.ask(
      computer,
      plant({ tries, tasks: 2, scope: ['app/'], writes: [{ path: 'app/apps/x.txt', text: 'x' }] }),
    )
    const leases = () => home.run('lease.list', {}, as())
    await expect.poll(async () => (await leases()).length, { timeout: 20_000 }).toBe(3)
    const held = await leases()
    expect(held.map(({ kind, scope }) => [kind, scope])).toEqual([
      ['read', ['app/', 'artifacts/']],
      ['write', ['app/']],
      ['verify', ['app/']],
    ])
    const write = held.find(({ kind }) => kind === 'write')!
    await expect(
      home.run('lease.revoke', { lease: write.lease }, { ...as(), caller: 'desktop' }),
    ).rejects.toMatchObject({
      code: 'request.refused',
    })
    await home.run('lease.revoke', { lease: write.lease }, { ...as(), caller: 'frame' })
    const run = await home.ended(computer, asked)
    expect(run).toMatchObject({
      status: 'discarded',
      reply: expect.stringContaining('you have taken back that this run may write') as string,
    })
    const refused = await dataOf('receipt.policy')
    // The tool, the write after it, and the next task that the Director gives.
    expect(refused.map((one) => one['asked'])).toEqual([
      'the tool write',
      'the tool write',
      expect.stringContaining('the task'),
    ])
    expect(await leases()).toEqual([])
    await expect(home.run('lease.revoke', { lease: write.lease }, as())).rejects.toMatchObject({
      code: 'lease.unknown',
    })
    await expect(home.read(computer, 'app/apps/x.txt')).rejects.toThrow('is not there')
  })

  test('what is allowed once is asked for again, in a run only in the next, on this computer never until taken back', async () => {
    await home.run('mood.pin', { mood: 'SKEPTICAL' }, as())
    const twice = async (word: ApprovalWord, asks: number) => {
      const before = (await dataOf('approval.ask')).length
      const asked = await home.ask(computer, writeBeyond({ tasks: 2 }))
      for (let times = 0; times < asks; times++) {
        const { approval } = await openApproval()
        await say(approval, word)
        await expect.poll(async () => (await approvals()).open.some((one) => one.approval === approval)).toBe(false)
      }
      const { status } = await home.ended(computer, asked)
      return [status, (await dataOf('approval.ask')).length - before]
    }
    expect(await twice('once', 2)).toEqual(['landed', 2])
    expect(await twice('run', 1)).toEqual(['landed', 1])
    expect(await twice('computer', 1)).toEqual(['landed', 1])
    expect(await twice('computer', 0)).toEqual(['landed', 0])
    const { standing } = await approvals()
    expect(standing).toMatchObject([{ kind: 'scope', scope: ['artifacts/'] }])
    await home.run('approval.revoke', { approval: standing[0]!.approval }, as())
    expect((await approvals()).standing).toEqual([])
    expect(await twice('deny', 1)).toEqual(['discarded', 1])
  })

  test('no wins, also over a yes of before, and over one that comes later', async () => {
    await home.run('mood.pin', { mood: 'SKEPTICAL' }, as())
    const asked = await home.ask(computer, writeBeyond({ waitMs: 2000, tasks: 2 }))
    const { approval, risk } = await openApproval()
    expect(risk).toContain('wary, as you chose, and wants to write your documents (artifacts/)')
    await expect(
      home.run('approval.answer', { approval, answer: 'once' }, { ...as(), caller: 'desktop' }),
    ).rejects.toMatchObject({ code: 'request.refused' })
    await say(approval, 'run')
    await expect.poll(async () => (await home.run('lease.list', {}, as())).length).toBe(3)
    await say(approval, 'deny')
    await expect(say(approval, 'computer')).rejects.toMatchObject({ code: 'approval.unknown' })
    const run = await home.ended(computer, asked)
    expect([run.status, (await approvals()).standing]).toEqual(['discarded', []])
  })

  test('what was allowed for a result and taken back before it lands does not land', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `artifacts/many/${index}.txt`)
    for (const name of names) await home.write(computer, name, name)
    const asked = await home.ask(computer, plant({ removes: names, scope: ['artifacts/'], restMs: 1500 }))
    const { approval, kind, scope } = await openApproval()
    expect([kind, scope]).toEqual(['deletion', ['artifacts/many/']])
    await say(approval, 'run')
    await expect.poll(async () => (await dataOf('task.result')).length, { timeout: 20_000 }).toBe(1)
    await say(approval, 'deny')
    const run = await home.ended(computer, asked)
    expect([run.status, run.reason]).toEqual(['discarded', 'you have taken back what you had allowed'])
    expect(await home.read(computer, names[0]!)).toBe(names[0])
  })

  test('Stop ends a run that waits to be allowed something, and nothing waits any more', async () => {
    await home.run('mood.pin', { mood: 'SKEPTICAL' }, as())
    const asked = await home.ask(computer, writeBeyond())
    const { approval } = await openApproval()
    await home.run('stop', { run: asked.run }, as())
    expect((await home.ended(computer, asked)).status).toBe('cancelled')
    expect((await approvals()).open).toEqual([])
    await expect(say(approval, 'once')).rejects.toMatchObject({ code: 'approval.unknown' })
  })
})
