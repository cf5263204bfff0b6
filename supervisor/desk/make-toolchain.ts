import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { makePagePackages, PAGE_PACKAGES_FOLDER } from './page-packages.ts'
import { packagesOf, PROGRAMS, type Making } from './toolchain.ts'

/**
 * Makes a toolchain in a process of its own: the bundler holds more memory than the whole supervisor, and gives none of
 * it back.
 */
const [checkout = '', folder = ''] = process.argv.slice(2)
process.on('disconnect', () => process.exit(1)) // The supervisor is gone: nobody waits for the toolchain any more.
const failure = await makeToolchain().then(
  () => null,
  (error: NodeJS.ErrnoException) => ({
    message: error.message,
    ...(error.code === undefined ? {} : { code: error.code }),
  }),
)
process.send?.({ failure } satisfies Making, () => process.exit(0))

async function makeToolchain(): Promise<void> {
  mkdirSync(folder, { mode: 0o755 })
  copyFileSync(process.execPath, join(folder, 'node'))
  chmodSync(join(folder, 'node'), 0o711) // Not readable inside: then the agent's own process cannot be read either.
  for (const part of ['sdk', 'toolchain', 'parts'])
    cpSync(join(checkout, 'desktop', part), join(folder, part), { recursive: true })
  // Beside the files that import them: an agent that reads the SDK to write an app finds the types there, too.
  cpSync(join(checkout, 'core', 'everywhere'), join(folder, 'sdk', 'everywhere'), { recursive: true })
  for (const name of packagesOf(checkout, ['desktop', 'verifiers'])) {
    cpSync(join(checkout, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
      dereference: true,
    })
  }
  await makePagePackages(checkout, join(folder, PAGE_PACKAGES_FOLDER))
  for (const { entry, file } of PROGRAMS) await bundle(join(checkout, entry), join(folder, file))
}

/** Bundles one program. The external packages are mounted beside it and stay as they are. */
async function bundle(entry: string, file: string): Promise<void> {
  const made = await rolldown({
    input: entry,
    platform: 'node',
    logLevel: 'silent',
    external: [/^rolldown/, 'lightningcss', 'vite'],
  })
  await made.write({ file, format: 'esm' })
  await made.close()
}
