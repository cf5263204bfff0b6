import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TreePath } from '@choiros/contract/path.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { witnessedSeq } from '@choiros/supervisor/tree/projector.ts'
import { readTree } from '@choiros/supervisor/tree/survey.ts'
import { describe, expect, test } from 'vitest'
import { write } from '../hostile/damage.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { liveALittle } from '../support/life.ts'

removeFoldersAfterEach()

describe('L1 one truth', () => {
  test('[L1] tables and files thrown away come back the same from the log alone: nothing else was ever written to them', async () => {
    const folder = temporaryFolder()
    const home = openTestHome(folder)
    await liveALittle(home)
    // A folder that was made is there for its own sake, also when its last file has gone.
    await home.run('files.change', { operations: [{ op: 'folder', path: 'artifacts/made' as TreePath }] })
    await home.run('files.change', { operations: [write('artifacts/made/x.txt', 'x')] })
    await home.run('files.change', { operations: [{ op: 'remove', path: 'artifacts/made/x.txt' as TreePath }] })
    const computer = await home.computer()
    await computer.shown()
    const tables = computer.tableHashes()
    const files = await readTree(join(computer.folder, PLACES.tree))
    await home.close()

    for (const place of ['state', 'snapshots', 'tree', 'treeCursor', 'staging', 'git'] as const) {
      rmSync(join(computer.folder, PLACES[place]), { recursive: true, force: true })
    }
    const again = openTestHome(folder)
    const reopened = await again.computer()
    expect(reopened.tableHashes()).toEqual(tables)
    expect(await readTree(join(computer.folder, PLACES.tree))).toEqual(files)
    await again.close()
  })

  test('[L1] the head of the log is the only thing a command moves: tables stand exactly there', async () => {
    const home = openTestHome(temporaryFolder())
    await liveALittle(home)
    const computer = await home.computer()
    expect(computer.head()).toEqual(await computer.log.head())
    expect(witnessedSeq(join(computer.folder, PLACES.treeCursor))).toBeLessThanOrEqual(computer.head().seq)
    await home.close()
  })
})
