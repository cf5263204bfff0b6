import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { askedOf, startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'

const use = (name: string, input: unknown): Scripted => ({ uses: [{ name, input }] })

describe('after the person has said no', { timeout: 90_000 }, () => {
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

  const as = () => ({ computer: computer.id })
  /** The Director's model gives this task, the person denies what it asks for; what the Director hears of it. */
  const denied = async (edit: object, does: Scripted, edits = 1) => {
    let heard = ''
    const begun: string[] = []
    model.script = (request) => {
      const { role, turn, all } = askedOf(request)
      if (role === 'associate') {
        if (turn === 0) begun.push(all)
        return turn === 0 && begun.length === 1 ? does : { text: 'It is done.' }
      }
      if (turn < edits) return use('edit', { instruction: 'do it', ...edit })
      heard = all
      return { text: 'It was not done.' }
    }
    const asked = await home.ask(computer, 'surprise me with something')
    const open = async () => (await home.run('approval.list', {}, as())).open
    await expect.poll(async () => (await open()).length, { timeout: 30_000 }).toBe(1)
    await home.run('approval.answer', { approval: (await open())[0]!.approval, answer: 'deny' }, as())
    const run = await home.ended(computer, asked)
    return { heard, begun, run }
  }
  const FOR_THE_PERSON = /you did not allow|at your word|you said/

  test('a task that may not be done is refused to the Director in words for an agent, to the person in theirs', async () => {
    await home.run('mood.pin', { mood: 'SKEPTICAL' }, as())
    const { heard, run } = await denied({ may_write: ['artifacts/'] }, { text: 'nothing' })
    await home.run('mood.unpin', {}, as())
    expect(heard).toContain('said no: this run may not write \\"artifacts/\\". Do not try it another way.')
    expect(heard.replaceAll(/The person is told that it is \\"[^"]*"/g, '')).not.toMatch(FOR_THE_PERSON)
    expect(run).toMatchObject({ status: 'discarded' })
    expect(run.reply).toContain('you did not allow it to write your documents (artifacts/)')
  })

  test('so is what was made and may not be kept; the next attempt does not begin with it', async () => {
    const files = Array.from({ length: 15 }, (_, index) => `artifacts/n${index}.md`)
    for (const path of files) await home.write(computer, path, `${path}\n`)
    const deletes = { uses: files.map((path) => ({ name: 'delete', input: { path } })) }
    const { heard, begun, run } = await denied({ may_write: ['artifacts/'] }, deletes, 2)
    expect(heard).toContain('not done. The person was asked, and said no: this run may not delete')
    expect(heard).not.toContain('its work is kept for the next edit')
    expect(run.reply).toContain('you did not allow it to delete')
    expect(begun.map((all) => all.includes('an earlier attempt left'))).toEqual([false, false])
  })
})
