import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { z } from 'zod'

/** What the code of a desktop may import by name. */
const PACKAGES = ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client']

/** Beside the packages that they are made of; the desk's configuration knows the place. */
export const PAGE_PACKAGES_FOLDER = 'node_modules/.page'

/**
 * Makes those packages into modules as a browser reads them, once for a release. Vite would do it at every start of a
 * desk, which then took twice as long, and would send megabytes of source maps along with them.
 */
export async function makePagePackages(checkout: string, folder: string): Promise<void> {
  const named = exportsOf(checkout)
  const made = await rolldown({
    input: Object.fromEntries(PACKAGES.map((name) => [fileOf(name), `page:${name}`])),
    cwd: checkout,
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    plugins: [
      {
        name: 'choir:page-packages',
        resolveId: (id) => (id.startsWith('page:') ? id : null),
        load(id) {
          if (!id.startsWith('page:')) return null
          const name = id.slice('page:'.length)
          const from = JSON.stringify(
            join(checkout, 'node_modules', name.includes('/') ? `${name}.js` : join(name, 'index.js')),
          )
          return `import all from ${from}\nexport default all\nexport const { ${named[name]!.join(', ')} } = all\n`
        },
      },
    ],
  })
  await made.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await made.close()
}

function fileOf(name: string): string {
  return name.replaceAll('/', '_')
}

/**
 * The packages are loaded to learn the names of their exports, with NODE_ENV set: which of their two builds they use
 * shows only when they run.
 */
function exportsOf(checkout: string): Readonly<Record<string, readonly string[]>> {
  const script = `console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(PACKAGES)}.map((name) => [name, Object.keys(require(name))]))))`
  const output = execFileSync(process.execPath, ['--eval', script], {
    cwd: checkout,
    env: { NODE_ENV: 'development' },
    encoding: 'utf8',
  })
  return z.record(z.string(), z.array(z.string())).parse(JSON.parse(output))
}
