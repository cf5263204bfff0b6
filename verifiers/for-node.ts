import { join } from 'node:path'
import { TREE } from './report.ts'

/**
 * Makes modules of the tree into what Node runs: types and JSX gone, everything that they import from the tree and the
 * SDK in it, styles left out, resolved as in the desk. Nothing of it is executed here. Inside of each is a map, by
 * which Node tells errors in the source's own lines.
 *
 * `entries`: by the name that its file gets.
 */
export async function makeForNode(entries: Readonly<Record<string, string>>, folder: string): Promise<void> {
  process.env['CHOIR_LOOK_AT'] = TREE
  process.env['CHOIR_LOOK_CACHE'] = join(folder, '.vite')
  const { build } = await import('vite')
  await build({
    configFile: '/opt/choir/toolchain/vite.config.ts',
    configLoader: 'native',
    logLevel: 'silent',
    publicDir: false,
    define: { 'import.meta.hot': 'undefined' },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      sourcemap: 'inline',
      target: 'esnext',
      reportCompressedSize: false,
      rolldownOptions: {
        input: { ...entries },
        output: { format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'part-[hash].mjs' },
        treeshake: false,
      },
    },
  })
}
