import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

export { openTestHome, type TestHome } from './open-home.ts'

const folders: string[] = []

/** A folder that is gone after the test, whatever happens in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'choir-test-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export function removeFoldersAfterEach(): void {
  afterEach(removeFolders)
}
