import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createExportFile } from '@choiros/ports/export-file/sqlite.ts'
import { buildExport } from '@choiros/supervisor/commands/transfer.ts'
import { RELEASE } from '@choiros/supervisor/release.ts'
import { liveALittle } from '../support/life.ts'
import { openTestHome } from '../support/open-home.ts'

/**
 * Makes this release's golden log: a little of everything, exported, with the hashes it gave. Run once per release and commit; never run it to make a red
 * test green once the release is tagged, for then the tables of every computer out there would change without notice.
 */
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'choir-golden-'))
const home = openTestHome(folder)
await liveALittle(home)
const computer = await home.computer()
const context = { home: home.home, machine: home.machine, user: home.home.owner, caller: 'cli', progress: () => {} } as const
copyFileSync(await buildExport({ ...context, computer }, createExportFile), here(`release-${RELEASE}.choir`))
const { seq, tree, tables } = await home.run('replay', { to: null })
writeFileSync(here(`release-${RELEASE}.json`), `${JSON.stringify({ seq, tree, tables }, null, 2)}\n`)
await home.close()
rmSync(folder, { recursive: true })
