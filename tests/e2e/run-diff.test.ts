import { diffText, wholeDiff } from '@choiros/command-line/diff.ts'
import type { Client } from '@choiros/command-line/client.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { RunDiff } from '@choiros/contract/run-diff.ts'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index}\n`)

describe('what a run changed', { timeout: 60_000 }, () => {
  const folder = temporaryFolder()
  let home: RunHome
  let computer: Computer

  const diff = (run: RunId, path: string | null = null) =>
    home.run('run.diff', { run, path: path as TreePath | null }, { computer: computer.id, caller: 'desktop' })
  const listed = ({ files }: RunDiff) =>
    files.map(({ does, path, added, removed, note }) => [does, path, added, removed, note])

  beforeAll(async () => {
    await plantAgents(folder)
    home = openRunHome(folder)
    computer = await home.addComputer('desk')
    await home.write(computer, 'artifacts/list.txt', LINES.join(''))
    await home.write(computer, 'artifacts/old.txt', 'the same\n')
    await home.write(computer, 'artifacts/gone.txt', 'a\nb\n')
  }, 120_000)
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  test('is told file by file and line by line, with renames, exec bits and what is no text in words', async () => {
    const { run, status } = await home.prompt(
      computer,
      plant({
        writes: [{ path: 'artifacts/list.txt', text: LINES.with(6, 'six\n').join('') }],
        removes: ['artifacts/gone.txt'],
        shell: `mv artifacts/old.txt artifacts/new.txt; printf 'a\\000b' > artifacts/picture.bin; printf 'echo hi' > artifacts/go.sh; chmod +x artifacts/go.sh
          head -c ${LIMITS.diffBytesMax + 1} /dev/zero | tr '\\000' 'x' > artifacts/huge.txt`,
      }),
    )
    expect(status).toBe('landed')
    const whole = await diff(run)
    expect(listed(whole)).toEqual([
      ['create', 'artifacts/go.sh', 1, 0, 'may be executed'],
      ['delete', 'artifacts/gone.txt', 0, 2, null],
      ['create', 'artifacts/huge.txt', null, null, 'too large to be shown by lines: 1.0 MiB'],
      ['change', 'artifacts/list.txt', 1, 1, null],
      ['move', 'artifacts/new.txt', 0, 0, null],
      ['create', 'artifacts/picture.bin', null, null, 'not text: 3 bytes'],
    ])
    expect([whole.from, whole.left, whole.files.flatMap(({ hunks }) => hunks)]).toEqual(['landed', 0, []])

    const client = {
      run: (_: 'run.diff', input: { run: RunId; path: string | null }) => diff(input.run, input.path),
    } as unknown as Client
    const text = diffText(await wholeDiff(client, run, null))
    expect(text).toContain(
      [
        'diff a/artifacts/list.txt b/artifacts/list.txt',
        '--- a/artifacts/list.txt',
        '+++ b/artifacts/list.txt',
        '@@ -4,7 +4,7 @@',
        ' line 3\n line 4\n line 5\n-line 6\n+six\n line 7\n line 8\n line 9',
        'diff a/artifacts/old.txt b/artifacts/new.txt',
        'rename from artifacts/old.txt',
        'rename to artifacts/new.txt',
      ].join('\n'),
    )
    expect(text).toContain(
      '--- /dev/null\n+++ b/artifacts/go.sh\n@@ -0,0 +1,1 @@\n+echo hi\n\\ No newline at end of file',
    )
    await expect(diff(run, 'artifacts/system/theme.json')).rejects.toMatchObject({ code: 'path.unknown' })
  })

  test('of a run that did not land: the paths of its last stage, and that their content was not kept', async () => {
    const { run, status } = await home.prompt(
      computer,
      plant({
        writes: [{ path: 'app/broken.ts', text: 'export const x: number = "no"\n' }],
        removes: ['artifacts/go.sh'],
      }),
    )
    expect(status).toBe('discarded')
    const whole = await diff(run)
    expect([whole.from, listed(whole)]).toEqual([
      'stage',
      [
        ['create', 'app/broken.ts', null, null, 'its content was not kept: 30 bytes'],
        ['delete', 'artifacts/go.sh', 0, 1, null],
      ],
    ])
  })

  test('of an undo that was asked for in words, of one that changed nothing, and of none', async () => {
    const taken = await home.prompt(computer, 'undo that')
    expect(listed(await diff(taken.run)).map(([does, path]) => `${does} ${path}`)).toContain('move artifacts/old.txt')
    const idle = await home.prompt(computer, 'what can you do')
    expect((await diff(idle.run)).files).toEqual([])
    await expect(diff('nobody' as RunId)).rejects.toMatchObject({ code: 'run.unknown' })
  })
})
