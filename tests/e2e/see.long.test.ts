import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stepsMs, type LookStep } from '@choiros/contract/look.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openCourt, type Court } from '../support/judged-tree.ts'

const app = (id: string, effect: string, onClick: string) => `import { useEffect, useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'
function Restless() {
  const [turn, setTurn] = useState(0)
  const [count, setCount] = useState(0)
  useEffect(() => { ${effect} }, [])
  return <p><button type="button" onClick={() => { ${onClick} }}>Count</button> turn {turn} counted {count}</p>
}
export const used = Restless
export default defineApp({ id: '${id}', title: '${id}', glyph: 'R', size: { width: 300, height: 200 }, Content: Restless })
`
const FILES = {
  'app/apps/restless/app.tsx': app(
    'restless',
    `const timer = setInterval(() => setTurn((before) => before + 1), 30)
     return () => clearInterval(timer)`,
    'setCount(count + 1)',
  ),
  'app/apps/slow/app.tsx': app(
    'slow',
    'setTurn(1)',
    `const until = performance.now() + 3000
     while (performance.now() < until) { /* It keeps the page. */ }
     setCount(count + 1)`,
  ),
}
const clicks = (count: number): LookStep[] => Array.from({ length: count }, () => ({ click: 'Count' }))

/** How long whoever waits for an answer waits is `lookMs`, which is more than the steps alone may take. */
describe('the time of a look', { timeout: 180_000 }, () => {
  let court: Court
  beforeAll(async () => void (court = await openCourt(temporaryFolder())))
  afterAll(async () => {
    await court?.close()
    removeFolders()
  })

  test('all steps of a page that is never still are done within the time that they may take', async () => {
    const steps = [...clicks(19), { wait: 2000 }]
    const startMs = performance.now()
    const [seen] = await court.look(FILES, { app: 'restless', steps })
    expect(performance.now() - startMs).toBeLessThan(stepsMs(steps))
    expect([seen?.findings, seen?.stopped, /counted "\n.*text "(\d+)"/.exec(seen?.outline ?? '')?.[1]]).toEqual([
      [],
      null,
      '19',
    ])
  })

  test('steps that a page makes slow are stopped in time, with what was seen by then', async () => {
    const [seen] = await court.look(FILES, { app: 'slow', steps: clicks(9) })
    expect(seen?.stopped).toMatch(/^step \d: those before took all 17 s: the page keeps the browser busy$/)
    expect(Number(/counted "\n.*text "(\d+)"/.exec(seen?.outline ?? '')?.[1])).toBeGreaterThan(3)
    expect(seen?.picture).not.toBeNull()
  })
})
