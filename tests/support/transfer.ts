import { copyFileSync } from 'node:fs'
import type { ComputerView } from '@choiros/contract/commands/computers.ts'
import { ComputerName } from '@choiros/contract/ids.ts'
import { createExportFile, openExportFile } from '@choiros/ports/export-file/sqlite.ts'
import type { Context } from '@choiros/supervisor/commands/context.ts'
import { buildRescue, type Rescue } from '@choiros/supervisor/commands/rescue.ts'
import { buildExport, importFile } from '@choiros/supervisor/commands/transfer.ts'
import type { TestHome } from './open-home.ts'

const contextOf = ({ home, machine }: TestHome): Context => ({
  home,
  machine,
  user: home.owner,
  caller: 'cli',
  progress: () => {},
})

/** Imports a copy of the file, as the socket's import does with what it received. */
export function importCopy(own: TestHome, file: string, name?: string): Promise<ComputerView> {
  const copy = own.home.temporaryFile('import')
  copyFileSync(file, copy)
  return importFile(contextOf(own), copy, name === undefined ? null : ComputerName.parse(name), openExportFile)
}

/** Makes an export, in the home's temporary folder. */
export async function exportOf(own: TestHome, name: string | null = null): Promise<string> {
  return buildExport({ ...contextOf(own), computer: await own.computer(undefined, name) }, createExportFile)
}

/** The same of what is left of a damaged computer. */
export function rescueOf(own: TestHome, name: string | null = null): Promise<Rescue> {
  return buildRescue(contextOf(own), name, createExportFile)
}
