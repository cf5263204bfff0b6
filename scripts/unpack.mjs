// Unpacks a release to a place where Node runs it, on any Node >= 20: node unpack.mjs FROM TO
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [from = '', to = ''] = process.argv.slice(2)
const making = `${to}.${process.pid}`
mkdirSync(dirname(to), { recursive: true })
try {
  cpSync(from, making, { recursive: true, filter: (path) => path !== join(from, 'node_modules') })
  // npm leaves a file named package-lock.json out of every package.
  renameSync(join(making, 'release-lock.json'), join(making, 'package-lock.json'))
  renameSync(making, to)
} catch (error) {
  rmSync(making, { recursive: true, force: true })
  if (!existsSync(join(to, 'package-lock.json'))) throw error // Another process was faster: its copy is as good.
}
