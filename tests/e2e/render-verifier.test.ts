import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openCourt, type Court } from '../support/judged-tree.ts'

const DICE = 'app/apps/dice/app.tsx'

/** An app whose content is this. */
const app = (body: string, before = '') => `import { useEffect, useState } from 'react'
import { defineApp } from '@choiros/sdk/app.ts'
import { useStored } from '@choiros/sdk/stored.ts'
${before}
export const used = [useEffect, useState, useStored]
function Dice() {
  ${body}
}
export default defineApp({ id: 'dice', title: 'Dice', glyph: '⚄', size: { width: 320, height: 240 }, Content: Dice })
`

describe('render', () => {
  let court: Court
  beforeAll(async () => void (court = await openCourt(temporaryFolder())))
  afterAll(async () => {
    await court?.close()
    removeFolders()
  })
  const render = (files: Readonly<Record<string, string>>, browser?: null) =>
    court.judge('render', court.tree(files), Object.keys(files), browser)
  const words = ({ problems }: Awaited<ReturnType<typeof render>>) =>
    problems.map(({ path, line, message }) => `${path}:${line}: ${message}`).join('\n')

  test('an app and the desktop that come up are good, with a picture of each', async () => {
    const judged = await render({ [DICE]: app(`return <p>Roll <button type="button">Again</button></p>`) })
    expect([judged.ok, judged.means, judged.problems]).toEqual([true, 'browser', []])
    const [desktop, dice] = judged.pictures
    expect([desktop?.app, desktop?.picture.width, desktop?.picture.height]).toEqual([null, 1280, 800])
    // Its window alone, as large as it asks to be, and a little of what is around it.
    expect(dice?.app).toBe('dice')
    expect(Math.abs((dice?.picture.width ?? 0) - 344)).toBeLessThan(20)
    expect(Math.abs((dice?.picture.height ?? 0) - 264)).toBeLessThan(20)
    for (const { picture } of judged.pictures) expect(picture.base64.startsWith('/9j/')).toBe(true)
  })

  test('a throw is refused, with its stack in the source’s own lines', async () => {
    const judged = await render({
      'app/apps/dice/roll.ts': `
export interface Roll { readonly pips: number }
export function pipsOf(roll: Roll | undefined): number {
  return roll!.pips
}
`,
      [DICE]: app(`return <p>{pipsOf(undefined)}</p>`, `import { pipsOf } from './roll.ts'`),
    })
    expect(judged.ok).toBe(false)
    expect(words(judged)).toContain('app/apps/dice/roll.ts:4: TypeError')
    expect(words(judged)).toContain('at app/apps/dice/app.tsx:7 (Dice)')
  })

  const cases: Readonly<Record<string, { files: Record<string, string>; says: RegExp; twin: Record<string, string> }>> =
    {
      'a module that throws when it is loaded': {
        files: { [DICE]: app(`return <p>1</p>`, `throw new Error('no dice')`) },
        says: /dice\/app\.tsx:4: Error: no dice/,
        twin: { [DICE]: app(`return <p>1</p>`, `if (Date.now() < 0) throw new Error('no dice')`) },
      },
      'an error that only an effect throws': {
        files: { [DICE]: app(`useEffect(() => { throw new Error('late') }, [])\n  return <p>1</p>`) },
        says: /dice\/app\.tsx:7: Error: late/,
        twin: { [DICE]: app(`useEffect(() => {}, [])\n  return <p>1</p>`) },
      },
      'an error in the console': {
        files: { [DICE]: app(`return <ul>{[1, 2].map((pips) => <li>{pips}</li>)}</ul>`) },
        says: /console: .*"key"/,
        twin: { [DICE]: app(`return <ul>{[1, 2].map((pips) => <li key={pips}>{pips}</li>)}</ul>`) },
      },
      'an empty window': {
        files: { [DICE]: app(`return <div className="dice" />`) },
        says: /the window of dice is empty/,
        twin: { [DICE]: app(`return <canvas width="100" height="100" aria-label="A die" />`) },
      },
      'a window that something covers': {
        files: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.desktop::after { content: ''; position: fixed; inset: 0 0 60px 0; z-index: 9999 }`,
        },
        says: /the window of dice cannot be reached: something covers it/,
        twin: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.desktop::after { content: ''; position: fixed; inset: 0 0 60px 0; z-index: 9999; pointer-events: none }`,
        },
      },
      'a window without size': {
        files: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.window { width: 0 !important; min-width: 0 !important; overflow: hidden; border: 0 !important }`,
        },
        says: /the window of dice cannot be reached: it has no size/,
        twin: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.window { width: 200px !important; overflow: hidden }`,
        },
      },
      'a window outside of the screen': {
        files: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.window { transform: translate(0, -3000px) }`,
        },
        says: /the window of dice cannot be reached: it lies outside of the screen/,
        twin: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.window { transform: translate(0, 3px) }`,
        },
      },
      'a window without a button in the taskbar': {
        files: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.taskbar .open { display: none !important }`,
        },
        says: /the window of dice has no button in the taskbar/,
        twin: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.task { color: red }`,
        },
      },
      'a desktop without a taskbar': {
        files: {
          'app/shell/more.css': '',
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.taskbar { display: none !important }`,
        },
        says: /there is no taskbar to be seen/,
        twin: {
          [DICE]: app(`return <p>1</p>`, `import './dice.css'`),
          'app/apps/dice/dice.css': `.taskbar { opacity: 0.9 }`,
        },
      },
      'a widget that throws': {
        files: { 'app/widgets/pips/widget.tsx': widget(`throw new Error('no pips')`) },
        says: /widgets\/pips\/widget\.tsx:3: Error: no pips/,
        twin: { 'app/widgets/pips/widget.tsx': widget(`return <span>6</span>`) },
      },
      'a widget that shows nothing': {
        files: { 'app/widgets/pips/widget.tsx': widget(`return null`) },
        says: /the widget Pips shows nothing/,
        twin: { 'app/widgets/pips/widget.tsx': widget(`return <span>6</span>`) },
      },
      'an endless loop': {
        files: { [DICE]: app(`useEffect(() => { for (;;); }, [])\n  return <p>1</p>`) },
        says: /does not answer any more/,
        twin: { [DICE]: app(`useEffect(() => { for (let i = 0; i < 9; i++); }, [])\n  return <p>1</p>`) },
      },
      'a shared file that breaks an app far away': {
        files: {
          'app/shell/words.ts': `export const WORDS: readonly string[] = []\nif (WORDS.length < 1) throw new Error('no words')\n`,
          [DICE]: app(`return <p>{WORDS.length}</p>`, `import { WORDS } from '../../shell/words.ts'`),
        },
        says: /shell\/words\.ts:2: Error: no words/,
        twin: {
          'app/shell/words.ts': `export const WORDS: readonly string[] = ['a']\n`,
          [DICE]: app(`return <p>{WORDS.length}</p>`, `import { WORDS } from '../../shell/words.ts'`),
        },
      },
    }
  for (const [name, { files, says, twin }] of Object.entries(cases))
    test(`${name} is refused; its twin is good`, async () => {
      const judged = await render(files)
      expect([judged.ok, words(judged)]).toEqual([false, expect.stringMatching(says)])
      const good = await render(twin)
      expect([good.ok, words(good)]).toEqual([true, ''])
    })

  describe('where there is no browser', () => {
    test('is done without one, and says so', async () => {
      const judged = await render({ [DICE]: app(`return <p>1</p>`) }, null)
      expect([judged.ok, judged.means, words(judged), judged.pictures]).toEqual([true, 'server', '', []])
    })

    test('is done without one where the browser does not start', async () => {
      const tree = court.tree({ [DICE]: app(`return <p>1</p>`) })
      const judged = await court.judge('render', tree, [DICE], '/usr/bin/false')
      expect([judged.ok, judged.means]).toEqual([true, 'server'])
    })

    const stored = `const { value } = useStored('artifacts/dice.json', { pips: [1] })\n  return <p>{value.pips.length}</p>`
    const withoutBrowser: Readonly<
      Record<string, { files: Record<string, string>; says: RegExp; twin: Record<string, string> }>
    > = {
      'a throw': {
        files: { [DICE]: app(`throw new Error('no dice')`) },
        says: /dice\/app\.tsx:7: the app dice: no dice/,
        twin: { [DICE]: app(`return <p>1</p>`) },
      },
      'a throw on what the tree’s own data says': {
        files: { [DICE]: app(stored), 'artifacts/dice.json': '{"pips": null}' },
        says: /dice\/app\.tsx:8: the app dice: Cannot read properties of null/,
        twin: { [DICE]: app(stored), 'artifacts/dice.json': '{"pips": [2, 3]}' },
      },
      'an error in the console': {
        files: { [DICE]: app(`return <ul>{[1, 2].map((pips) => <li>{pips}</li>)}</ul>`) },
        says: /the app dice: console: .*"key"/,
        twin: { [DICE]: app(`return <ul>{[1, 2].map((pips) => <li key={pips}>{pips}</li>)}</ul>`) },
      },
      'an empty window to which nothing can come': {
        files: { [DICE]: app(`return <div />`) },
        says: /the app dice: its window is empty/,
        twin: {
          [DICE]: app(
            `const [is, set] = useState(false)\n  useEffect(() => set(true), [])\n  return is ? <p>1</p> : null`,
          ),
        },
      },
      'a widget that throws': {
        files: { 'app/widgets/pips/widget.tsx': widget(`throw new Error('no pips')`) },
        says: /widgets\/pips\/widget\.tsx:3: the widget pips: no pips/,
        twin: { 'app/widgets/pips/widget.tsx': widget(`return <span>{innerWidth}</span>`) },
      },
      'a shell that throws': {
        files: {
          'app/shell/wallpaper.tsx': `export function Wallpaper(): never {\n  throw new Error('no paper')\n}\n`,
        },
        says: /shell\/wallpaper\.tsx:2: the desktop: no paper/,
        twin: { 'app/shell/wallpaper.tsx': `export function Wallpaper() {\n  return null\n}\n` },
      },
      'an endless loop': {
        files: { [DICE]: app(`for (;;);`) },
        says: /took too long to render/,
        twin: { [DICE]: app(`return <p>{new Image().width}</p>`) }, // Only a browser can tell what that is.
      },
    }
    for (const [name, { files, says, twin }] of Object.entries(withoutBrowser))
      test(`${name} is refused; its twin is good`, async () => {
        const judged = await render(files, null)
        expect([judged.ok, judged.means, words(judged)]).toEqual([false, 'server', expect.stringMatching(says)])
        const good = await render(twin, null)
        expect([good.ok, words(good)]).toEqual([true, ''])
      })
  })
})

function widget(body: string): string {
  return `import { defineWidget } from '@choiros/sdk/widget.ts'
function Pips() {
  ${body}
}
export default defineWidget({ id: 'pips', title: 'Pips', Content: Pips })
`
}
