import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ComputerName, type Seq } from '@choiros/contract/ids.ts'
import { CATALOG } from '@choiros/contract/catalog.ts'
import { readEvent } from '@choiros/contract/event.ts'
import { openExportFile } from '@choiros/ports/export-file/sqlite.ts'
import { importFile } from '@choiros/supervisor/commands/transfer.ts'
import { RELEASE } from '@choiros/supervisor/release.ts'
import { describe, expect, test } from 'vitest'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { liveALittle } from '../support/life.ts'
import { IS_LONG_LANE } from '../support/lanes.ts'

removeFoldersAfterEach()

const GOLDEN = fileURLToPath(new URL('../golden/', import.meta.url))
const releases = readdirSync(GOLDEN).filter((name) => name.endsWith('.choir'))

describe('L2 replay is proof', () => {
  test('[L2] replaying a log into an empty place gives the same tables and the same tree', async () => {
    const home = openTestHome(temporaryFolder())
    await liveALittle(home)
    const { hash } = await home.run('tree', { at: null })
    const live = (await home.computer()).tableHashes()
    expect(await home.run('replay', { to: null })).toMatchObject({ tree: hash, tables: live, matches: true })
    expect(await home.run('verify', {})).toMatchObject({ ok: true, problems: [] })
    await home.close()
  })

  test('[L2] every past tree is what replaying up to that event gives', async () => {
    const home = openTestHome(temporaryFolder())
    await liveALittle(home)
    const { seq } = (await home.computer()).head()
    for (let at = 1; at <= seq; at += IS_LONG_LANE ? 1 : 6) {
      const replayed = await home.run('replay', { to: at as Seq })
      expect(replayed.tree).toBe((await home.run('tree', { at: at as Seq })).hash)
    }
    await home.close()
  })

  for (const name of releases) {
    test(`[L2] the golden log ${name} still gives the tables and the tree it gave then`, async () => {
      const file = join(temporaryFolder(), name)
      copyFileSync(join(GOLDEN, name), file)
      const expected = JSON.parse(readFileSync(join(GOLDEN, name.replace('.choir', '.json')), 'utf8')) as { seq: Seq }
      const home = openTestHome(temporaryFolder())
      const context = {
        home: home.home,
        machine: home.machine,
        user: home.home.owner,
        caller: 'cli',
        progress: () => {},
      } as const
      await importFile(context, file, ComputerName.parse('golden'), openExportFile)
      const { seq, tree, tables } = await home.run('replay', { to: expected.seq })
      expect({ seq, tree, tables }).toEqual(expected)
      await home.close()
    })
  }

  test('[L2] the log of a computer that was lived in holds every type that is still written, but for the rescue of a lost log', async () => {
    const reader = openExportFile(join(GOLDEN, `release-${RELEASE}-lived.choir`))
    const types = new Set((await reader.read({ after: 0, limit: 1000 })).map((stored) => readEvent(stored).type))
    reader.close()
    const missing = new Set(CATALOG.map((definition) => definition.type).filter((type) => !types.has(type)))
    expect([...missing]).toEqual(['log.recover', 'conversation.start', 'work.create', 'work.close'])
  })
})
