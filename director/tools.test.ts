import { expect, test } from 'vitest'
import { RECIPES } from '@choiros/core/recipes/recipes.ts'
import { editTask, parseInput, taskFor, TOOLS, type TaskTool, type ToolInput } from './tools.ts'

const OPTIONS = { text: 'as they said it', needsStrong: false, newId: () => 'task-1' }

/** What comes of a tool's use: a task, or words that say what is wrong. */
function taskOf(name: TaskTool, given: unknown) {
  const parsed = parseInput(name, given)
  return typeof parsed === 'string' ? parsed : taskFor(name, parsed.input, OPTIONS)
}
const scopeOf = (...may: string[]) => {
  const made = taskOf('edit', { instruction: 'do it', may_write: may })
  return typeof made === 'string' ? made : made.write_scope
}

test('every recipe that is offered can be followed, and none that changes no files is offered', () => {
  const { description = '' } = TOOLS.find(({ name }) => name === 'recipe') ?? {}
  const offered = description
    .split('\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf('(')))
  expect(offered).toEqual(RECIPES.filter(({ work }) => work.kind === 'edit').map(({ name }) => name))
  expect(offered).not.toContain('undo')
})

test('what was taken back can be brought back, by itself', () => {
  expect(taskOf('undo', { redo: true })).toMatchObject({
    kind: 'git',
    git_action: 'redo',
    recipes: [{ name: 'redo', parameters: {} }],
  })
  expect(taskOf('undo', { count: 2 })).toMatchObject({
    git_action: 'undo',
    recipes: [{ name: 'undo', parameters: { count: 2 } }],
  })
  expect(taskOf('undo', { redo: true, what: 'the clock' })).toContain('redo stands alone')
})

test('a folder may be named without its slash, from the root, or as a pattern for all that is in it', () => {
  expect(scopeOf('app/apps/tip')).toEqual(['app/apps/tip', 'app/apps/tip/'])
  expect(scopeOf('artifacts', './app/apps/tip/', '/artifacts/')).toEqual(['artifacts/', 'app/apps/tip/'])
  expect(scopeOf('app/apps/tip/**', 'app/apps/top/*', 'app/apps/tap/**/*')).toEqual([
    'app/apps/tip/',
    'app/apps/top/',
    'app/apps/tap/',
  ])
  expect(scopeOf('./artifacts/note.md')).toEqual(['artifacts/note.md'])
  const together = parseInput('together', {
    tasks: ['one', 'two'].map((name) => ({ instruction: name, may_write: [`app/apps/${name}`] })),
  })
  const { tasks } = (together as { input: ToolInput<'together'> }).input
  expect(tasks.map((one) => editTask(one, OPTIONS).write_scope.at(-1))).toEqual(['app/apps/one/', 'app/apps/two/'])
})

test('a path that no tree can have is refused before anybody works, in words that say what is wrong', () => {
  expect(scopeOf('app/../secrets/')).toBe(
    'edit: may_write.0 "app/../secrets/" has a ".." part: name folders, such as app/apps/clock/, or files',
  )
  expect(scopeOf('app/', '/')).toMatch(/^edit: may_write\.1 "\/" is empty/)
  expect(scopeOf('app/*/app.tsx')).toContain('is a pattern')
})
