import { readEvent } from '@choiros/contract/event.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { expectRunsEnded } from '../support/run-ends.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'
import { askedOf, startScriptedModel, type Scripted, type ScriptedModel } from '../support/scripted-model.ts'
import { expectWithin } from '../support/spending.ts'
import { isInstalled, openSmallModel, type SmallModel } from './small-model.ts'

const CAP = 400_000
if (!isInstalled())
  console.log(
    'The small model is not installed, so nothing is tested: "npm run test:model -- --install" fetches it (400 MB).',
  )

describe.skipIf(!isInstalled())('a real small model in the loop', { timeout: 600_000 }, () => {
  const said: { role: string; answer: Scripted }[] = []
  let small: SmallModel
  let model: ScriptedModel
  let home: RunHome
  let computer: Computer

  beforeAll(async () => {
    small = await openSmallModel()
    model = await startScriptedModel(async (request) => {
      const answer = await small.answer(request)
      said.push({ role: askedOf(request).role, answer })
      return answer
    })
    home = openRunHome(temporaryFolder(), { modelUrl: model.url, modelLimits: { tokensPerRun: CAP, stallMs: 120_000 } })
    computer = await home.addComputer('desk')
  }, 600_000)
  afterAll(async () => {
    await home?.close()
    await model?.close()
    await small?.close()
    removeFolders()
  })

  test('what it chooses goes the whole way: a task, a tool on the stage, an end; and nothing lands that was not verified', async () => {
    const tree = async () => (await home.run('tree', { at: null }, { computer: computer.id })).hash
    const before = await tree()
    const run = await home.prompt(computer, 'I want to roll some dice')
    const events = (await computer.log.read({ after: run.asked - 1, limit: 1000 }))
      .map(readEvent)
      .filter((event) => event.run === run.run)
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data)
    console.log(
      said.map(({ role, answer }) => `${role}: ${JSON.stringify(answer)}`).join('\n'),
      `\n${run.status}: ${run.reply}`,
    )

    const [asked, used] = ['director', 'associate'].map(
      (role) => said.find((one) => one.role === role)?.answer.uses?.[0],
    )
    expect(of('task.request')).toMatchObject([
      { instruction: (asked as { input: { instruction: string } }).input.instruction },
    ])
    expect(of('tool.call')).toMatchObject([{ tool: used?.name }])
    expect(of('tool.result')).toHaveLength(1)
    expectWithin(CAP, events)
    const landed = of('run.land').map(({ tree: hash }) => hash)
    expect([await tree()]).toEqual(landed.length === 0 ? [before] : landed)
    await expectRunsEnded(home, computer)
  })
})
