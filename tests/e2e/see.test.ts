import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LookStep } from '@choiros/contract/look.ts'
import { recipeViews } from '@choiros/core/recipes/recipes.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openCourt, type Court } from '../support/judged-tree.ts'
import { CHECKOUT } from '../support/run-home.ts'

/** An app that says what was done to it. */
const DESK = `import { useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'
const over = (left: number, top: number, width: number, height: number) =>
  ({ position: 'absolute', left, top, width, height, background: 'tomato' }) as const
function Desk() {
  const [said, say] = useState('')
  const does = (what: string) => ({ type: 'button', onClick: () => say(said + ' ' + what) }) as const
  return (
    <div
      style={{ position: 'relative', height: 280 }}
      onKeyDown={(event) => say(said + ' ' + (event.ctrlKey ? 'ctrl-' : '') + event.key)}
    >
      <input aria-label="Name" defaultValue="ab.c" />
      <button {...does('saved')}>Save as…</button>
      <button {...does('hidden')} style={over(10, 40, 80, 30)}>Under</button>
      <div className="scrim" style={over(0, 35, 100, 40)} onClick={() => say(said + ' scrim')} />
      <button {...does('half')} style={over(120, 40, 100, 30)}>Half</button>
      <div className="toast" style={over(150, 40, 40, 30)}>Done</div>
      <label style={{ position: 'absolute', left: 10, top: 90 }}>
        <input
          type="checkbox"
          style={{ position: 'absolute', width: 1, height: 1, margin: -1, clipPath: 'inset(50%)' }}
          onChange={() => say(said + ' loud')}
        />
        <span>Loud</span>
      </label>
      <p style={{ position: 'absolute', left: 10, top: 120 }}>said:{said}</p>
    </div>
  )
}
export default defineApp({ id: 'desk', title: 'Desk', glyph: 'D', size: { width: 420, height: 360 }, Content: Desk })
`

describe('what is seen in a browser', () => {
  let court: Court
  beforeAll(async () => void (court = await openCourt(temporaryFolder())))
  afterAll(async () => {
    await court?.close()
    removeFolders()
  })
  /** What the app says was done to it, what was noted, and where it stopped, for each row of steps. */
  const after = async (...rows: LookStep[][]) => {
    const seen = await court.look({ 'app/apps/desk/app.tsx': DESK }, ...rows.map((steps) => ({ app: 'desk', steps })))
    return seen.map(({ outline, notes, stopped }) => ({
      said: /"said:"\n\s*text " ([^"]*)"/.exec(outline)?.[1] ?? '',
      name: /textbox "Name" = "([^"]*)"/.exec(outline)?.[1] ?? '',
      notes,
      stopped,
    }))
  }

  test('a key does what a person would get by it; one that there is not stops the steps', async () => {
    const [pressed, unknown] = await after(
      [{ click: 'Name' }, ...['Ctrl+a', 'Shift+x', '.', 'left', 'Esc'].map((press) => ({ press }))],
      [{ click: 'Name' }, { press: 'Strg+a' }, { press: 'Delete' }],
    )
    expect(pressed).toEqual({ said: 'ctrl-a X . ArrowLeft Escape', name: 'X.', notes: [], stopped: null })
    expect([unknown?.name, unknown?.stopped]).toEqual([
      'ab.c',
      expect.stringMatching(/^step 2: there is no key "Strg" in "Strg\+a"; there is .*Ctrl\+/),
    ])
  })

  test('what was clicked is told where its name is not the one that was asked for', async () => {
    const [part, whole, text] = await after([{ click: 'save' }], [{ click: 'save as…' }], [{ click: 'loud' }])
    expect([part, whole, text]).toEqual([
      {
        said: 'saved',
        name: 'ab.c',
        notes: ['step 1: clicked button "Save as…": nothing is called exactly "save"'],
        stopped: null,
      },
      { said: 'saved', name: 'ab.c', notes: [], stopped: null },
      { said: 'loud', name: 'ab.c', notes: [], stopped: null },
    ])
  })

  test('what lies over something is not clicked in its place, but told', async () => {
    const [under, half] = await after([{ click: 'Under' }], [{ click: 'Half' }])
    expect([under, half]).toEqual([
      {
        said: '',
        name: 'ab.c',
        notes: [],
        stopped: 'step 1: button "Under" cannot be clicked: div.scrim lies over it',
      },
      {
        said: 'half',
        name: 'ab.c',
        notes: [
          'step 1: clicked button "Half": at its centre div.toast "Done" lies over it, so it was clicked beside that',
        ],
        stopped: null,
      },
    ])
  })

  test('a text for which no field has the focus is not lost without a word', async () => {
    const [lost, typed] = await after([{ type: 'x' }], [{ click: 'Name' }, { press: 'End' }, { type: 'd' }])
    expect([lost?.stopped, typed?.name, typed?.stopped]).toEqual([
      'step 1: nothing that takes text has the focus: click a field first',
      'ab.cd',
      null,
    ])
  })

  test('every app of the desktop finds an empty computer behind it, and none that refuses', async () => {
    const apps = readdirSync(join(CHECKOUT, 'desktop/apps'))
    const turns: LookStep[] = ['Checkpoints', 'Everything', 'What can I ask for?'].map((click) => ({ click }))
    const seen = await court.look({}, ...apps.map((app) => ({ app, steps: app === 'history' ? turns : [] })))
    expect(seen.map(({ findings, stopped }, index) => [apps[index], findings, stopped])).toEqual(
      apps.map((app) => [app, [], null]),
    )
    const outlines = new Map(seen.map(({ outline }, index) => [apps[index], outline]))
    for (const outline of outlines.values()) expect(outline).not.toMatch(/alert|copy to look at|may not|cannot|fail/i)
    expect(outlines.get('memory')).toContain('Nothing is remembered')
    expect(outlines.get('history')).toContain(recipeViews()[0]?.title)
  })
})
