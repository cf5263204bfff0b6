import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For tests: a folder that is gone when the test is, for what one test leaves must not make another pass. `atEnd` is
 * vitest's `onTestFinished`.
 */
export function temporaryFolder(atEnd: (clean: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'choir-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
