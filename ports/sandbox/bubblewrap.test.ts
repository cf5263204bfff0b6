import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBubblewrap } from './bubblewrap.ts'
import { testSandboxHost } from './sandbox.suite.ts'

testSandboxHost('bubblewrap', async (folder) => {
  const toolchain = join(folder, 'toolchain')
  mkdirSync(toolchain, { mode: 0o755 })
  copyFileSync(process.execPath, join(toolchain, 'node'))
  chmodSync(join(toolchain, 'node'), 0o711) // Not readable inside: then its processes cannot be read either.
  cpSync(fileURLToPath(new URL('../../guest', import.meta.url)), join(toolchain, 'guest'), { recursive: true })
  mkdirSync(join(toolchain, 'agents'))
  writeFileSync(join(toolchain, 'agents', 'guest.mjs'), "import '../guest/main.ts'\n") // The product's is bundled.
  return openBubblewrap({ folder: join(folder, 'host'), toolchain })
})
