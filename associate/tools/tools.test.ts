import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Tool } from '@choiros/contract/tasks.ts'
import { openStageFolder } from '../stage-folder.ts'
import { createNotes } from './note.ts'
import { createOutputs } from './outputs.ts'
import type { Workbench } from './tool.ts'
import { modelTools, useTool } from './tools.ts'

let root = ''
let bench: Workbench

const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
const inStage = (file: string) => readFileSync(join(root, 'stage', file), 'utf8')
const use = async (name: Tool, input: unknown) => (await useTool(bench, name, input)).text

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tools-'))
  for (const side of ['stage', 'base']) {
    put(`${side}/app/one.ts`, 'const a = 1\nconst b = 2\nconst c = a + b\n')
    put(`${side}/app/two.tsx`, 'export const Two = () => <p>two</p>\n')
    put(`${side}/artifacts/note.md`, '# Note\n\nAlpha beta.\n')
  }
  put('sdk/GUIDE.md', '# Guide\n')
  const folder = join(root, 'stage')
  bench = {
    stage: openStageFolder(folder, ''),
    sdk: openStageFolder(join(root, 'sdk'), ''),
    base: openStageFolder(join(root, 'base'), ''),
    folder,
    scope: ['app/'],
    commandMsMax: 3000,
    outputs: createOutputs(),
    tell: async () => {},
    notes: createNotes({ call: () => Promise.reject(new Error('nobody listens')) }),
    verifier: () => [process.execPath, '--version'],
    eyes: { look: () => Promise.reject(new Error('there are no eyes here')) },
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('every tool has a description and a schema that a model can be given', () => {
  for (const { description, input } of modelTools(Tool.options)) {
    expect(description).not.toBe('')
    expect(input).toMatchObject({ type: 'object' })
  }
})

test('a recipe is offered with its parameters, and none that changes no files', () => {
  const recipe = modelTools(['recipe'])[0]?.description ?? ''
  expect(recipe).toContain('countdown(until: Until (YYYY-MM-DD), title?')
  expect(recipe).toMatch(/theme\(\w+: .*dark.*\)/)
  for (const other of ['undo(', 'redo(', 'help(', 'restore(']) expect(recipe).not.toContain(`\n${other}`)
})

describe('read', () => {
  test('gives line numbers, and says from where to go on', async () => {
    expect(await use('read', { path: 'app/one.ts', lines: 2 })).toBe(
      '1\tconst a = 1\n2\tconst b = 2\n(2 more lines, from line 3)',
    )
    expect(await use('read', { path: 'app/one.ts', from_line: 3, lines: 1 })).toContain('3\tconst c = a + b')
    expect(await use('read', { path: 'app/one.ts', from_line: 30 })).toBe('app/one.ts has 4 lines')
    expect(await use('read', { path: 'sdk/GUIDE.md' })).toContain('# Guide')
    await expect(use('read', { path: 'app/none.ts' })).rejects.toThrow('there is no text file app/none.ts')
  })
})

describe('edit', () => {
  test('makes several changes, all or none', async () => {
    const edits = [
      { old: 'const a = 1', new: 'const a = 10' },
      { old: 'const b = 2', new: 'const b = 20' },
    ]
    expect(await use('edit', { path: 'app/one.ts', edits })).toBe('changed app/one.ts in 2 places')
    expect(inStage('app/one.ts')).toBe('const a = 10\nconst b = 20\nconst c = a + b\n')
    const bad = [
      { old: 'const a = 10', new: 'x' },
      { old: 'not there at all, nowhere', new: 'y' },
    ]
    await expect(use('edit', { path: 'app/one.ts', edits: bad })).rejects.toThrow('edit 2: its piece is not in')
    expect(inStage('app/one.ts')).toContain('const a = 10')
  })

  test('replaces everywhere only where that is asked for, and says where a piece occurs', async () => {
    await expect(use('edit', { path: 'app/one.ts', old: 'const', new: 'let' })).rejects.toThrow(
      'occurs 3 times in app/one.ts, in lines 1, 2, 3',
    )
    await use('edit', { path: 'app/one.ts', old: 'const', new: 'let', all: true })
    expect(inStage('app/one.ts')).toBe('let a = 1\nlet b = 2\nlet c = a + b\n')
  })

  test('on a miss it names the nearest lines and what differs', async () => {
    const spaced = use('edit', { path: 'app/one.ts', old: '  const b = 2\n  const c = a + b', new: 'x' })
    await expect(spaced).rejects.toThrow('2\tconst b = 2\n3\tconst c = a + b\n(line 2 differs in white space only)')
    const other = use('edit', { path: 'app/one.ts', old: 'const c = a - b', new: 'x' })
    await expect(other).rejects.toThrow('line 3 is "const c = a + b", not "const c = a - b"')
    const none = use('edit', { path: 'app/one.ts', old: 'something else entirely', new: 'x' })
    await expect(none).rejects.toThrow('Nothing in it is like that')
    await expect(use('edit', { path: 'artifacts/note.md', old: 'Alpha', new: 'x' })).rejects.toThrow('outside of what')
    await expect(use('edit', { path: 'app/one.ts', old: 'a' })).rejects.toThrow('give either old and new, or edits')
  })

  test('a dollar in the new text is a dollar', async () => {
    await use('edit', { path: 'app/one.ts', old: 'const a = 1', new: "const a = '$&$1'" })
    expect(inStage('app/one.ts')).toContain("const a = '$&$1'")
  })
})

describe('search', () => {
  test('finds by text, by pattern and by glob, with counts and context', async () => {
    expect(await use('search', { text: 'const', folder: 'app' })).toContain('4 lines in 2 files:')
    expect(await use('search', { pattern: '^const [ab] =', glob: '**/*.ts' })).toBe(
      '2 lines in 1 file:\napp/one.ts:1: const a = 1\napp/one.ts:2: const b = 2',
    )
    expect(await use('search', { text: 'ALPHA', ignore_case: true })).toContain('artifacts/note.md:3: Alpha beta.')
    expect(await use('search', { text: 'b = 2', context: 1 })).toBe(
      '1 line in 1 file:\napp/one.ts:1- const a = 1\napp/one.ts:2: const b = 2\napp/one.ts:3- const c = a + b',
    )
    expect(await use('search', { text: 'nowhere' })).toMatch(/^no line fits, in \d+ files?$/m)
  })

  test('counts what it does not show, and refuses what is no pattern', async () => {
    put('stage/app/many.txt', 'hit\n'.repeat(250))
    expect(await use('search', { text: 'hit' })).toContain('250 lines in 1 file; the first 100:')
    await expect(use('search', { pattern: '(' })).rejects.toThrow('no regular expression')
    await expect(use('search', { text: 'a', pattern: 'a' })).rejects.toThrow('give either text or pattern')
  })
})

describe('shell', () => {
  test('tells the beginning and the end of a long output, and keeps all of it', async () => {
    const told = await use('shell', {
      command: 'for i in $(seq 1 5000); do echo "line $i"; done; echo the last; exit 3',
    })
    expect(told).toMatch(/^exit code 3; \d+ lines, kept as output\/1\nline 1\n/)
    expect(told.trimEnd().endsWith('the last')).toBe(true)
    expect(await use('read', { path: 'output/1', from_line: 2500, lines: 1 })).toContain('2500\tline 2500')
    expect(await use('search', { text: 'line 4999', folder: 'output' })).toContain('output/1:4999: line 4999')
  })

  test('is ended before the time of its task is, whatever was asked for', async () => {
    expect(await use('shell', { command: 'sleep 20', timeout_s: 600 })).toContain('(stopped: it took too long)')
  })

  test('is ended after its time, and says so', async () => {
    expect(await use('shell', { command: 'echo before; sleep 20', timeout_s: 1 })).toContain(
      '(stopped: it took too long)',
    )
  })

  test('what has left its group holds its output, but is not waited for', async () => {
    const startMs = performance.now()
    const left = 'echo before; setsid sleep 8 &'
    expect(await use('shell', { command: `${left} exit 3` })).toMatch(
      /^exit code 3\nbefore\n+\(something that it started/,
    )
    expect(await use('shell', { command: `${left} sleep 20`, timeout_s: 1 })).toContain('(stopped: it took too long)')
    expect(performance.now() - startMs).toBeLessThan(7000)
  })

  test('[L9] it finds a few fixed variables, and none of the agent’s own', async () => {
    process.env['SECRET_OF_THE_AGENT'] = 'x'
    const told = await use('shell', { command: 'env | cut -d= -f1 | sort | tr "\\n" " "' })
    delete process.env['SECRET_OF_THE_AGENT']
    expect(told.split('\n')[1]?.trim().split(' ').sort()).toEqual(['HOME', 'LANG', 'PATH', 'PWD', 'TERM', 'TMPDIR'])
    expect(await use('shell', { command: 'echo "$PATH"' })).toContain('/opt/choir:')
  })

  test('its description names only programs that are there', async () => {
    const described = modelTools(['shell'])[0]?.description ?? ''
    const named = /It finds (.*) and the usual/.exec(described)?.[1]?.split(', ') ?? []
    expect(named).toContain('sed')
    const told = await use('shell', { command: `for name in ${named.join(' ')}; do command -v $name || exit 1; done` })
    expect(told).toMatch(/^exit code 0\n/)
  })
})

test('a path that only begins in the scope is refused as no path, by each tool that writes', async () => {
  const path = 'app/../artifacts/note.md'
  const code = { code: 'path.invalid' }
  await expect(use('write', { path, text: 'x' })).rejects.toMatchObject(code)
  await expect(use('delete', { path })).rejects.toMatchObject(code)
  await expect(use('edit', { path, old: 'Alpha', new: 'x' })).rejects.toMatchObject(code)
  expect(inStage('artifacts/note.md')).toContain('Alpha')
})

test('diff shows what was changed, made and deleted', async () => {
  expect(await use('diff', {})).toBe('nothing was changed yet')
  await use('edit', { path: 'app/one.ts', old: 'const b = 2', new: 'const b = 3' })
  await use('write', { path: 'app/new.ts', text: 'new\n' })
  await use('delete', { path: 'app/two.tsx' })
  const told = await use('diff', {})
  expect(told).toContain('app/one.ts (changed)\n@@ line 1 @@\n  const a = 1\n- const b = 2\n+ const b = 3\n')
  expect(told).toContain('app/new.ts (new file)')
  expect(told).toContain('app/two.tsx (deleted)')
  expect(await use('diff', { path: 'artifacts/note.md' })).toBe('artifacts/note.md was not changed')
})

test('check sees what a shell wrote outside of the scope', async () => {
  await use('shell', { command: 'echo more >> artifacts/note.md' })
  await expect(use('check', {})).rejects.toThrow('scope: artifacts/note.md was changed')
})
