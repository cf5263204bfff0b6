import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { OPTIONS } from './arguments.ts'
import { COMMAND_LINE } from './commands.ts'
import { helpText } from './help.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

test('help shows every command, every option that belongs to one, and no line wider than a terminal of 120', () => {
  const text = helpText()
  const missing = Object.entries(COMMAND_LINE).flatMap(([name, { options, usage }]) => {
    const forms = usage.map(({ form }) => form).join(' ')
    return [
      ...(text.includes(`  choir ${name}`) ? [] : [name]),
      ...options.filter((option) => !forms.includes(`--${option}`) && name !== 'restore'),
    ]
  })
  expect(missing).toEqual([])
  expect(text.split('\n').filter((line) => line.length > 115)).toEqual([])
})

test('every option belongs to a command', () => {
  const used = new Set(Object.values(COMMAND_LINE).flatMap(({ options }) => options as string[]))
  expect(Object.keys(OPTIONS).filter((name) => !used.has(name))).toEqual(['home', 'json', 'computer', 'user', 'help'])
})

test('every command of the table can be loaded', async () => {
  for (const entry of Object.values(COMMAND_LINE))
    expect(typeof (await ('load' in entry ? entry.load() : entry.loadLocal()))).toBe('function')
})

test('status loads no schema and no more of the command line than it needs', () => {
  const trace = `process.on('exit', () => process.stderr.write(JSON.stringify(process.moduleLoadList.filter((name) => /undici|child_process/.test(name)))))
    const { registerHooks } = await import('node:module')
    registerHooks({ load: (url, context, next) => (url.startsWith('file:') && process.stderr.write(url.split('/').slice(-2).join('/') + '\\n'), next(url, context)) })`
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(trace)}`, MAIN, '--home', '/nowhere/at/all', 'status'],
    {
      encoding: 'utf8',
    },
  )
  const lines = stderr.trim().split('\n')
  expect(lines.pop()).toBe('[]')
  expect(lines.sort()).toEqual([
    'command-line/arguments.ts',
    'command-line/commands.ts',
    'command-line/main.ts',
    'command-line/run.ts',
    'command-line/text.ts',
    'contract/error.ts',
    'contract/home-folder.ts',
    'contract/routes.ts',
  ])
})

test('what a status of a running system needs beside that imports no schema either', () => {
  const schemas = ['zod', '/commands.ts', '/ids.ts', '/wire.ts', '/path.ts', './given.ts']
  const heavy = ['computers.ts', 'client.ts', 'connection.ts'].flatMap((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => /^import (?!type)/.test(line) && schemas.some((schema) => line.includes(`${schema}'`)))
      .map((line) => `${name}: ${line}`),
  )
  expect(heavy).toEqual([])
  expect(readdirSync(new URL('.', import.meta.url))).toContain('given.ts')
})
