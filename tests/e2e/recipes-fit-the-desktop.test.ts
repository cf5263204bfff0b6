import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { openStageFolder } from '@choiros/associate/stage-folder.ts'
import { followRecipe } from '@choiros/associate/tools/follow-recipe.ts'
import { findRecipe } from '@choiros/core/recipes/recipes.ts'
import { SETTINGS, toLook, WALLPAPERS } from '@choiros/desktop/shell/look.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

const DESKTOP = fileURLToPath(new URL('../../desktop', import.meta.url))

/** A stage that holds the place where apps and widgets are found, and the product's own parts. */
function openStage() {
  const stage = openStageFolder(temporaryFolder(), `${DESKTOP}/parts`)
  // As it is in the product, so that its moving away is noticed here.
  stage.write('app/shell/extensions.ts', readFileSync(`${DESKTOP}/shell/extensions.ts`, 'utf8'))
  return stage
}

function lookOf(stage: ReturnType<typeof openStage>) {
  const settings = SETTINGS.map((name) => [name, JSON.parse(stage.read(`artifacts/system/${name}.json`) ?? 'null')])
  return toLook(Object.fromEntries(settings) as Parameters<typeof toLook>[0])
}

const SCOPE = ['app/', 'artifacts/']
const TITLE = `O'Neil's "best" \`\${x}\` <b>`

test('what a recipe sets is what the desktop reads', () => {
  const stage = openStage()
  const usual = lookOf(stage)
  const bigger = followRecipe(stage, SCOPE, 'font-size', { size: 'bigger' })
  expect(bigger.summary).toBe(`Made the text bigger: ${usual.fontSizePx + 2} pixels.`)
  followRecipe(stage, SCOPE, 'theme', { theme: usual.theme === 'dark' ? 'light' : 'dark' })
  followRecipe(stage, SCOPE, 'accent', { colour: 'teal' })
  followRecipe(stage, SCOPE, 'wallpaper', { colour: '#123' })
  followRecipe(stage, SCOPE, 'taskbar', { position: 'top' })
  expect(lookOf(stage)).toEqual({
    theme: 'light',
    accent: '#008080',
    wallpaper: { colour: '#112233' },
    fontSizePx: usual.fontSizePx + 2,
    taskbar: 'top',
  })
  const choices = findRecipe('wallpaper')!.fields[0]!.choices.map(({ value }) => value)
  expect(choices).toEqual([...WALLPAPERS])
})

test.each([
  ['todo', { title: TITLE }, 'app/apps/', []],
  ['notes', { title: TITLE }, 'app/apps/', []],
  ['timer', { title: TITLE }, 'app/apps/', []],
  ['clock', { seconds: true, hours: '12' }, 'app/widgets/', ['const SECONDS = true', 'const HOURS_24 = false']],
  ['date', {}, 'app/widgets/', []],
  ['countdown', { until: '2027-06-01', title: TITLE }, 'app/widgets/', ["const UNTIL = '2027-06-01'"]],
  ['greeting', { name: TITLE }, 'app/widgets/', [String.raw`const NAME = 'O\u0027Neil`]],
] as const)(
  'the part of %s becomes code that parses, with every blank filled in',
  (recipe, parameters, folder, lines) => {
    const stage = openStage()
    followRecipe(stage, SCOPE, recipe, parameters)
    const sources = stage.list(folder).map((path) => ({ path, text: stage.read(path)! }))
    const code = sources.filter(({ path }) => /\.tsx?$/.test(path))
    expect(code.flatMap(({ path, text }) => parseSync(path, text).errors)).toEqual([])
    const whole = sources.map(({ text }) => text).join('\n')
    expect(whole).not.toMatch(/part-id|Part title/)
    for (const line of lines) expect(whole).toContain(line)
  },
)
