import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Entry } from '@choiros/contract/change.ts'
import { assert } from '@choiros/contract/error.ts'
import type { LookInput, Seen } from '@choiros/contract/look.ts'
import { TreePath } from '@choiros/contract/path.ts'
import { readVerdict, takePictures, touchedArgument, type VerdictPicture } from '@choiros/contract/verdict.ts'
import type { Problem, VerifierMeans } from '@choiros/contract/verdict.ts'
import { openBubblewrap } from '@choiros/ports/sandbox/bubblewrap.ts'
import type { ExecResult, SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { readBase } from '@choiros/supervisor/computer/base.ts'
import { findBrowser } from '@choiros/supervisor/desk/browser.ts'
import { prepareToolchain } from '@choiros/supervisor/desk/toolchain.ts'
import { lookAtAll } from '@choiros/supervisor/runs/look.ts'
import { ONLY_TOOLCHAIN, verifierSpec } from '@choiros/supervisor/runs/verification.ts'
import { openTrees } from '@choiros/supervisor/tree/trees.ts'
import { CHECKOUT } from './run-home.ts'
import { lendToolchain } from './shared-toolchain.ts'

/** What a verifier said about a tree, as the supervisor would take it. */
interface Judged {
  readonly ok: boolean
  readonly problems: readonly Problem[]
  readonly means: VerifierMeans | null
  readonly pictures: readonly VerdictPicture[]
  readonly took: ExecResult
}

/** A verifier's real sandbox, for trees that a test writes: the base desktop, and these files. */
export interface Court {
  readonly host: SandboxHost
  readonly packages: string
  tree(files: Readonly<Record<string, string>>): string
  judge(verifier: string, folder: string, paths: readonly string[], browser?: string | null): Promise<Judged>
  /** What a reviewer sees of such a tree: each look in a page of its own, all with one browser. */
  look(files: Readonly<Record<string, string>>, ...requests: readonly LookInput[]): Promise<Seen[]>
  close(): Promise<void>
}

export async function openCourt(folder: string): Promise<Court> {
  await lendToolchain(folder)
  const toolchain = await prepareToolchain(CHECKOUT, folder)
  const host = openBubblewrap({ folder: join(folder, 'sandboxes'), toolchain: toolchain.folder })
  const packages = join(toolchain.folder, 'node_modules')
  const { changes, objects } = readBase(join(CHECKOUT, 'desktop'))
  const bytes = new Map<string, Uint8Array>(objects.map((object) => [object.hash, object.bytes]))
  const base = changes.map(({ path, to }) => [path, bytes.get(to?.object ?? '') ?? ''] as const)
  let written = 0
  const trees = openTrees(join(folder, 'trees'), async (hash) => {
    const found = bytes.get(hash)
    assert(found !== undefined, `the base has no object ${hash}`)
    return Buffer.from(found)
  })
  return {
    host,
    packages,
    tree(files) {
      const place = join(folder, `tree-${++written}`)
      for (const [path, text] of [...base, ...Object.entries(files)]) {
        mkdirSync(dirname(join(place, path)), { recursive: true })
        writeFileSync(join(place, path), text)
      }
      chmodSync(place, 0o755)
      return place
    },
    async judge(verifier, place, paths, browser = findBrowser()) {
      const took = await host.runOnce(verifierSpec('judged', place, packages), {
        command: [...ONLY_TOOLCHAIN, `/opt/choir/verify/${verifier}.mjs`, ...touchedArgument(paths)],
        cwd: '/tree',
        environment: { CHOIR_BROWSER: browser ?? 'none' },
        wallClockMs: 60_000,
        outputBytesMax: 16 * 1024 * 1024,
      })
      const { pictures, rest } = takePictures(took.output.toString('utf8'))
      const said = readVerdict(rest)
      return {
        ok: said?.ok === true && took.exitCode === 0 && took.end === 'exited',
        problems: said?.problems ?? [],
        means: said?.means ?? null,
        pictures,
        took,
      }
    },
    look(files, ...requests) {
      const added = Object.entries(files).map(([path, text]) => {
        const own = Buffer.from(text)
        const entry: Entry = { kind: 'file', mode: '644', object: sha256(own), size: own.length }
        return { path: TreePath.parse(path), entry, object: { hash: entry.object, bytes: own } }
      })
      const tree = new Map(changes.flatMap(({ path, to }) => (to === null ? [] : [[path, to] as const])))
      for (const { path, entry } of added) tree.set(path, entry)
      const fresh = new Map(added.map(({ object }) => [object.hash, object]))
      const at = { tree, objects: fresh, name: 'looked' }
      return lookAtAll({ host, trees, packages, browser: findBrowser() }, at, requests, new AbortController().signal)
    },
    close: () => host.close(),
  }
}
