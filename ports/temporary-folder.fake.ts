import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For tests: a folder that is removed when the test ends, so that nothing one test leaves makes another pass. `atEnd`
 * is vitest's `onTestFinished`.
 */
export function temporaryFolder(atEnd: (clean: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'choir-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
