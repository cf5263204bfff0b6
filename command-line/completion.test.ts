import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from './commands.ts'
import { runCommandLine } from './run.ts'

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'))
  writeFileSync(join(folder, 'backup.choir'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function scriptOf(shell: string): Promise<string> {
  let text = ''
  const stdout = new Writable({ write: (piece: Buffer, _encoding, done) => ((text += piece.toString()), done()) })
  await runCommandLine(['completion', shell], { stdin: Readable.from([]), stdout, stderr: stdout })
  return text
}

describe.runIf(has('bash'))('bash', () => {
  async function complete(...words: string[]): Promise<string[]> {
    const line = ['choir', ...words].map((word) => `'${word}'`).join(' ')
    const script = `${await scriptOf('bash')}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _choir; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
  }

  test('completes every command', async () => {
    expect((await complete('')).filter((word) => !word.startsWith('-'))).toEqual(Object.keys(COMMAND_LINE))
    expect(await complete('che')).toEqual(['checkpoint'])
  })

  test('completes the options of a command, after options that stand before it', async () => {
    expect(await complete('undo', '--p')).toEqual(['--preview'])
    expect(await complete('--home', 'status', 'undo', '--p')).toEqual(['--preview'])
    expect(await complete('status', '--p')).toEqual([''])
    expect(await complete('--json', 'ls', '--a')).toEqual(['--at'])
  })

  test('completes what follows: actions, choices, files, and nothing where only the person knows', async () => {
    expect(await complete('model', 's')).toEqual(['set'])
    expect(await complete('model', 'set', '--provider', 'b')).toEqual(['bedrock'])
    expect(await complete('import', 'ba')).toEqual(['backup.choir'])
    expect(await complete('undo', '--run', '')).toEqual([''])
  })
})

test.each(['zsh', 'fish'])('%s: the script names every command and its own options', async (shell) => {
  const script = await scriptOf(shell)
  for (const [name, { options }] of Object.entries(COMMAND_LINE)) {
    const own = script
      .split('\n')
      .filter((line) =>
        shell === 'zsh'
          ? line.includes(` ${name}) `)
          : line.includes(`subcommand_from ${name}'`) || line.includes(`-a ${name} `),
      )
    const missing = options.filter(
      (option) =>
        !own.some((line) => (shell === 'zsh' ? line.includes(`'--${option}`) : line.includes(`-l ${option}`))),
    )
    expect([name, own.length > 0, missing]).toEqual([name, true, []])
  }
  expect(has(shell) ? spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' }).stderr : '').toBe('')
})

test('another shell is refused with what there is', async () => {
  expect(await scriptOf('powershell')).toContain('bash, zsh or fish')
})
