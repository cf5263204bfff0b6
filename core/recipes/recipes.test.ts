import { expect, test } from 'vitest'
import type { Wish } from '@choiros/contract/events/talk.ts'
import { RecipeTree as Tree } from './recipe-tree.fake.ts'
import { RECIPES, recipeViews, wishProblem } from './recipes.ts'

const WISHES: readonly [string, Wish['parameters'], string][] = [
  ['theme', { theme: 'light' }, 'Made the desktop light.'],
  ['accent', { colour: 'teal' }, 'Made the accent teal.'],
  ['wallpaper', { wallpaper: 'aurora' }, 'Made the wallpaper aurora.'],
  ['wallpaper', { colour: 'navy' }, 'Made the wallpaper navy.'],
  ['font-size', { size: 18 }, 'Made the text bigger: 18 pixels.'],
  ['font-size', { size: '20' }, 'Made the text bigger: 20 pixels.'],
  ['taskbar', { position: 'top' }, 'Moved the taskbar to the top.'],
  ['clock', {}, 'Added a clock to the taskbar.'],
  ['clock', { seconds: true, hours: '12' }, 'Added a 12-hour clock with seconds to the taskbar.'],
  ['date', {}, 'Added the date to the taskbar.'],
  ['countdown', { until: '2027-06-01', title: 'Holiday' }, 'Added a countdown to 1 June 2027 to the taskbar.'],
  ['greeting', { name: 'Ada' }, 'Added a greeting to the taskbar.'],
  ['todo', { title: 'Shopping list' }, 'Made “Shopping list” for you.'],
  ['notes', {}, 'Made “Notes” for you.'],
  ['timer', { title: '' }, 'Made “Timer” for you.'],
  ['document', { title: 'Trip plan', text: 'Pack.' }, 'Made the document “Trip plan” (artifacts/trip-plan.md).'],
  ['document', {}, 'Made the document “Untitled” (artifacts/untitled.md).'],
]

test.each(WISHES)(
  '%s %o is done once, in its scope, and is already so the second time',
  (recipe, parameters, summary) => {
    const tree = new Tree()
    expect(tree.follow(recipe, parameters)).toMatchObject({ summary, alreadySo: null, missing: null })
    const before = new Map(tree.files)
    const second = tree.follow(recipe, parameters)
    expect(second).toMatchObject({ writes: [], removes: [], alreadySo: expect.any(String) })
    expect(tree.files).toEqual(before)
  },
)

test('settings are one file each, in the shape the desktop reads', () => {
  const tree = new Tree()
  for (const [recipe, parameters] of WISHES.slice(0, 7)) tree.follow(recipe, parameters)
  const settings = tree.list('artifacts/system').map((path) => [path, tree.read(path)])
  expect(settings).toEqual([
    ['artifacts/system/accent.json', '{\n  "accent": "#008080"\n}\n'],
    ['artifacts/system/font-size.json', '{\n  "fontSize": 20\n}\n'],
    ['artifacts/system/taskbar.json', '{\n  "position": "top"\n}\n'],
    ['artifacts/system/theme.json', '{\n  "theme": "light"\n}\n'],
    ['artifacts/system/wallpaper.json', '{\n  "wallpaper": "#000080"\n}\n'],
  ])
})

test('what a setting falls back to counts as set', () => {
  const tree = new Tree()
  expect(tree.follow('theme', { theme: 'dark' }).alreadySo).toBe('The desktop is already dark.')
  expect(tree.follow('taskbar', { position: 'bottom' }).alreadySo).toBe('The taskbar is already at the bottom.')
  expect(tree.follow('wallpaper', { wallpaper: 'plain' }).alreadySo).toBe('The wallpaper is already plain.')
})

test('a setting that holds nonsense is mended, not stumbled over', () => {
  const tree = new Tree()
  for (const text of ['', '{', '[]', 'null', '{"theme":7}']) {
    tree.files.set('artifacts/system/theme.json', text)
    expect(tree.follow('theme', { theme: 'light' }).summary).toBe('Made the desktop light.')
  }
})

test('bigger and smaller go step by step and stop at the ends', () => {
  const tree = new Tree()
  const words = Array.from({ length: 7 }, () => tree.follow('font-size', { size: 'bigger' }).summary)
  expect(words.slice(-2)).toEqual([
    'The text is already as big as it gets: 24 pixels.',
    'The text is already as big as it gets: 24 pixels.',
  ])
})

test('a clock that is there gets its seconds, and keeps its hours', () => {
  const tree = new Tree()
  tree.follow('clock', { hours: '12' })
  expect(tree.follow('clock', { seconds: true }).summary).toBe('The clock is now a 12-hour clock with seconds.')
  expect(tree.read('app/widgets/clock/widget.tsx')).toContain('const SECONDS = true\nconst HOURS_24 = false\n')
})

test('a clock that someone has worked on since is not replaced', () => {
  const tree = new Tree()
  tree.follow('clock')
  tree.files.set('app/widgets/clock/widget.tsx', '// my own')
  expect(tree.follow('clock', { seconds: true }).alreadySo).toContain('has been changed since it was added')
  expect(tree.read('app/widgets/clock/widget.tsx')).toBe('// my own')
})

test('two apps never share an id, and none takes the place of one that came with the computer', () => {
  const tree = new Tree()
  for (const title of ['Files', 'files!', 'System', '7 days', '買い物']) tree.follow('todo', { title })
  const folders = new Set(tree.list('app/apps').map((path) => path.split('/')[2]))
  expect(folders).toEqual(new Set(['files', 'files-2', 'files-3', 'system-2', 'todo', 'todo-7-days']))
  expect(tree.read('app/apps/files/app.tsx')).toBe('files')
})

test('an app and a widget are removed again, by title or by kind, and nothing else is', () => {
  const tree = new Tree()
  const before = new Map(tree.files)
  tree.follow('todo', { title: 'Shopping list' })
  tree.follow('clock')
  tree.follow('countdown', { until: '2027-06-01', title: 'Holiday' })
  expect(tree.follow('remove', { what: 'the shopping list' }).summary).toBe('Removed “Shopping list”.')
  tree.follow('todo', { title: 'Work' })
  expect(tree.follow('remove', { what: 'todo list for work' }).summary).toContain('Removed “Work”.')
  expect(tree.follow('remove', { what: 'clock' }).summary).toBe('Removed “Clock”.')
  expect(tree.follow('remove', { what: 'countdown' }).summary).toBe('Removed “Holiday”.')
  expect(tree.files).toEqual(before)
  expect(tree.follow('remove', { what: 'files' }).alreadySo).toContain('There is no “files” that I could remove.')
})

test('a title that stands above the text already is not written twice', () => {
  const tree = new Tree()
  tree.follow('document', { title: 'Norway', text: '# Norway\n\n- socks' })
  expect(tree.files.get('artifacts/norway.md')).toBe('# Norway\n\n- socks\n')
  tree.follow('document', { title: 'Oslo', text: '# Bergen' })
  expect(tree.files.get('artifacts/oslo.md')).toBe('# Oslo\n\n# Bergen\n')
})

test('a document is deleted by its title or file name, case and dashes aside; never by a guess', () => {
  const tree = new Tree()
  for (const title of ['Budget 2027', 'Trip plan', '買い物']) tree.follow('document', { title })
  tree.files.set('artifacts/list.txt', 'milk')
  tree.files.set('artifacts/old/trip-plan.md', '# Trip plan\n')
  const before = new Map(tree.files)
  const say = (what: string) => tree.follow('remove', { what })
  expect(say('Budget 2028 document').alreadySo).toBe(
    'I found no document called “Budget 2028”, so nothing was deleted.',
  )
  expect(say('Budget document').alreadySo).toContain('Did you mean “Budget 2027”?')
  expect(say('trip plan document').alreadySo).toBe(
    'Several documents are called that, so I deleted none: old/trip-plan.md, trip-plan.md. Say the file name of the one you mean.',
  )
  expect(tree.files).toEqual(before)
  expect(say('old/trip-plan.md document').summary).toBe('Deleted the document “Trip plan”.')
  expect(say('budget-2027 document').removes).toEqual(['artifacts/budget-2027.md'])
  expect(say('Trip Plan').removes).toEqual(['artifacts/trip-plan.md'])
  expect(say('list.txt file').summary).toBe('Deleted the document “list.txt”.')
  expect(say('買い物 document').removes).toEqual(['artifacts/買い物.md'])
  tree.files.set('artifacts/system/theme.json', '{}')
  expect(say('theme.json file').removes).toEqual([])
})

test.each([
  ['買い物', '買い物'],
  ['Список покупок', 'список-покупок'],
  ['Café & Crème', 'cafe-creme'],
  ['Ärger mit Öl', 'arger-mit-ol'],
  ['สวัสดี', 'สวัสดี'],
  ['🙂🙂', 'document'],
  ['Plan 買い物!', 'plan-買い物'],
])('the document “%s” is the file %s.md', (title, name) => {
  const tree = new Tree()
  tree.follow('document', { title })
  expect(tree.list('artifacts')).toEqual([`artifacts/${name}.md`])
})

test('a document never takes the place of another', () => {
  const tree = new Tree()
  for (const text of ['one', 'two', 'three']) tree.follow('document', { title: 'Plan', text })
  expect(tree.list('artifacts').map((path) => [path, tree.read(path)])).toEqual([
    ['artifacts/plan-2.md', '# Plan\n\ntwo\n'],
    ['artifacts/plan-3.md', '# Plan\n\nthree\n'],
    ['artifacts/plan.md', '# Plan\n\none\n'],
  ])
})

test('where the extension point is gone, the file that is missing is named and nothing is written', () => {
  const tree = new Tree()
  tree.files.delete('app/shell/extensions.ts')
  for (const recipe of ['clock', 'todo'])
    expect(tree.follow(recipe)).toMatchObject({
      missing: 'app/shell/extensions.ts',
      writes: [],
      summary: expect.stringContaining('app/shell/extensions.ts'),
    })
})

const HOSTILE = [
  `'; alert(1); '`,
  '`${process.exit()}`',
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../etc/passwd',
  'a\nb\r\nc\u2028d\u2029e\0f',
  '\\',
  "\\'",
  '$& $1 $`',
  'part-id Part title',
  '🙂🙂🙂',
  '\uD800',
  'x'.repeat(5000),
  '🙂'.repeat(5000),
  '*/ } { /*',
  'const SECONDS = true',
]

test.each(HOSTILE)('the title %j is shown as it is and does nothing', (title) => {
  for (const [recipe, place] of [
    ['todo', 'apps'],
    ['countdown', 'widgets'],
  ] as const) {
    const tree = new Tree()
    tree.follow(recipe, {
      title: title.slice(0, recipe === 'todo' ? 10_000 : 200),
      ...(recipe === 'todo' ? {} : { until: '2027-06-01' }),
    })
    const path = tree
      .list(`app/${place}`)
      .find((candidate) => /\/(app|widget)\.tsx$/.test(candidate) && !candidate.includes('/files/'))!
    const literal = /title: ('.*') \}\)\n$/.exec(tree.read(path)!)?.[1]
    // The title in the code is what a person would read, shortened and on one line.
    const said = JSON.parse(`"${literal!.slice(1, -1)}"`) as string
    expect(literal).toMatch(/^'[^'"`$<>&{}\n]*'$/)
    expect(said.length).toBeLessThanOrEqual(40)
    expect(said.isWellFormed()).toBe(true)
  }
  const tree = new Tree()
  tree.follow('document', { title, text: title })
  expect(tree.list('artifacts')).toEqual([expect.stringMatching(/^artifacts\/[a-z0-9-]{1,40}\.md$/)])
})

test('a title in a JSX attribute becomes an expression, which knows escapes', () => {
  const tree = new Tree()
  tree.follow('todo', { title: `Ann's "list"` })
  expect(tree.read('app/apps/ann-s-list/window.tsx')).toBe(
    `export const name = <nav aria-label={'Ann\\u0027s \\u0022list'} className="ann-s-list-app" />\n`,
  )
})

test('a wish with wrong parameters says which and why', () => {
  const problem = (recipe: string, parameters: Wish['parameters']) => wishProblem({ recipe, parameters })
  expect(problem('theme', { theme: 'pink' })).toBe('Light or dark, theme: the theme is "dark" or "light"')
  expect(problem('accent', {})).toBe('Accent colour, colour: say which colour, by name or like #0f7b74')
  expect(problem('font-size', { size: 99 })).toBe(
    'Text size, pixels: the text can be from 12 to 24 pixels high; or say "bigger" or "smaller"',
  )
  expect(problem('countdown', { until: '2027-02-30' })).toBe(
    'Countdown, until (yyyy-mm-dd): give the day like 2027-06-01',
  )
  expect(problem('wallpaper', {})).toBe('Wallpaper: choose a wallpaper or a colour')
  expect(problem('nonsense', {})).toBe('there is no recipe named "nonsense"')
  expect(problem('undo', { x: 1 })).toContain('Undo')
})

test('the menu has every recipe, each with what a form needs', () => {
  expect(recipeViews().map(({ name }) => name)).toEqual(RECIPES.map(({ name }) => name))
  for (const { fields } of recipeViews())
    for (const { kind, choices } of fields) expect(choices.length > 0).toBe(kind === 'choice')
})
