import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { plant, plantAgents } from '../support/plant.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

describe('[L6] every file effect is an event', { timeout: 90_000 }, () => {
  const folder = temporaryFolder()
  let home: RunHome
  let computer: Computer
  beforeAll(async () => {
    await plantAgents(folder)
    home = openRunHome(folder)
    computer = await home.addComputer('one')
  })
  afterAll(async () => {
    await home.close()
    removeFolders()
  })

  /** What lies on the disk, however it came there. */
  const onDisk = (): Record<string, string> => {
    const root = join(computer.folder, 'tree')
    const found: Record<string, string> = {}
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
      const stat = lstatSync(join(root, path))
      if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(root, path))}`
      else if (stat.isFile()) found[path] = `${stat.mode & 0o111 ? 'x' : '-'} ${sha256(readFileSync(join(root, path)))}`
    }
    return found
  }
  /** What the log alone says, made again from its first event. */
  const byTheLog = async (): Promise<Record<string, string>> => {
    const { tree, matches } = await home.run('replay', { to: null }, { computer: computer.id })
    const { hash, files } = await home.run('tree', { at: null }, { computer: computer.id })
    expect([tree, matches]).toEqual([hash, true])
    const found: Record<string, string> = {}
    for (const [path, entry] of Object.entries(files)) {
      if (entry.kind === 'symlink') found[path] = `link ${(await computer.objects.get(entry.object)).toString('utf8')}`
      else if (entry.kind === 'file') found[path] = `${entry.mode === '755' ? 'x' : '-'} ${entry.object}`
    }
    return found
  }
  const effects = async () =>
    (await home.events(computer)).filter(({ type }) => ['file.change', 'run.land', 'undo'].includes(type)).length
  const isTold = async () => {
    await computer.shown()
    expect(onDisk()).toEqual(await byTheLog())
  }

  test('[L6] by a tool, by a shell command, by Writer, by an upload, by a move, an undo and a restore: the disk holds what the log says, and nothing else', async () => {
    const start = await effects()
    await isTold()
    expect(
      await home.prompt(computer, plant({ writes: [{ path: 'app/by-tool.ts', text: 'export const a = 1\n' }] })),
    ).toMatchObject({
      status: 'landed',
    })
    await isTold()
    const shell =
      "sed -i 's/1/2/' app/by-tool.ts; printf x > app/by-shell.txt; chmod +x app/by-shell.txt; ln -s by-shell.txt app/link; mkdir -p app/deep/er && cp app/by-shell.txt app/deep/er/; rm -f app/nothing"
    expect(await home.prompt(computer, plant({ shell }))).toMatchObject({ status: 'landed' })
    await isTold()
    expect(onDisk()).toMatchObject({
      'app/by-shell.txt': expect.stringMatching(/^x /) as string,
      'app/link': 'link by-shell.txt',
    })
    await home.write(computer, 'artifacts/letter.md', 'by Writer')
    const bytes = Buffer.alloc(200_000, 7)
    await computer.objects.put((async function* () { yield bytes })()) // prettier-ignore
    const upload = {
      op: 'write' as const,
      path: 'artifacts/photo.bin' as TreePath,
      content: { object: sha256(bytes), size: bytes.length },
      from: null,
    }
    await home.run('files.change', { operations: [upload] }, { computer: computer.id, caller: 'desktop' })
    await isTold()
    const move = {
      op: 'move' as const,
      path: 'artifacts/letter.md' as TreePath,
      to: 'artifacts/old letter.md' as TreePath,
    }
    await home.run('files.change', { operations: [move] }, { computer: computer.id })
    await isTold()
    await home.run('undo', { target: { kind: 'newest', scope: 'any' }, tree: null }, { computer: computer.id })
    await isTold()
    // One event for each of the six.
    expect((await effects()) - start).toBe(6)
  })
})
