import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Change, Entry } from '@choiros/contract/change.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { eventTime } from '@choiros/contract/event.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { diffTrees } from '@choiros/core/tree.ts'
import { SignedHead } from '../signing/signing.ts'

const run = promisify(execFile)

interface CheckpointCommit {
  readonly name: string
  readonly time: number
  readonly tree: Hash
  readonly head: SignedHead
  /** Changes since the checkpoint before, or the whole tree for the first. */
  readonly changes: readonly Change[]
}

/**
 * Checkpoints as commits, for people who trust git: any `git log` can read them. They are made from objects, never by
 * reading a folder that someone else can write.
 */
export interface GitCheckpoints {
  /** The signed head in the newest commit, its signature not checked; null if there is none. */
  newestSigned(): Promise<SignedHead | null>
  /** The seq of the newest commit, or null if there is none. */
  newest(): Promise<number | null>
  commit(checkpoint: CheckpointCommit): Promise<string>
  /**
   * Called before anything else. Deletes all commits if something was erased since: the next commits make them again
   * from the log, without the erased bytes.
   */
  prepare(newestErase: number): Promise<void>
  clear(): void
}

/** This folder is only used here, so names that are a problem on other systems are allowed. */
const PLAIN = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false']
const COMMITTER = 'ChoirOS <choiros@localhost>'
const GIT_MODES = { '644': '100644', '755': '100755', '777': '120000' } as const

export function openGitCheckpoints(folder: string, object: (hash: Hash) => Promise<Buffer | null>): GitCheckpoints {
  // The git configuration of the machine or the user must neither run code nor change what a commit says.
  const environment = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    LC_ALL: 'C.UTF-8',
  }
  const git = async (...args: string[]): Promise<string> => {
    try {
      return (await run('git', ['--git-dir', folder, ...args], { env: environment, timeout: 60_000 })).stdout.trim()
    } catch (cause) {
      throw new ChoirError(
        'git.failed',
        `git could not ${args[0]}: the checkpoint is in the log, but not in git. Is git installed and is there room?`,
        { cause },
      )
    }
  }

  const erasedFile = `${folder}/choir-erased`
  const clear = () => rmSync(folder, { recursive: true, force: true })

  const newestCommit = async (): Promise<string | null> => {
    if (!existsSync(`${folder}/HEAD`)) return null
    return (await git('for-each-ref', '--format=%(objectname)', 'refs/heads/main')) || null
  }

  const newestSigned = async (): Promise<SignedHead | null> => {
    const commit = await newestCommit()
    return commit === null ? null : signedIn(await git('log', '-1', '--format=%B', commit))
  }

  return {
    newestSigned,
    newest: async () => (await newestSigned())?.seq ?? null,
    async commit(checkpoint) {
      const parent = await newestCommit()
      const child = spawn('git', ['--git-dir', folder, ...PLAIN, 'fast-import', '--quiet', '--done'], {
        env: environment,
        stdio: ['pipe', 'ignore', 'pipe'],
      })
      let complaint = ''
      child.stderr.on('data', (data: Buffer) => (complaint = (complaint + data.toString()).slice(-2000)))
      const ended = once(child, 'close').catch(() => [null]) as Promise<[number | null]>
      child.stdin.on('error', () => {}) // The exit code says what went wrong; a broken pipe alone does not.
      try {
        for await (const piece of fastImport(checkpoint, parent, object)) {
          // Not `once`, which fails with a broken pipe: the exit code says what went wrong.
          if (!child.stdin.write(piece))
            await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended])
        }
      } catch (error) {
        child.kill() // Otherwise git would wait for the rest for ever.
        throw error
      }
      child.stdin.end()
      const [code] = await ended
      if (code !== 0)
        throw new ChoirError('git.failed', `git refused the checkpoint: ${complaint.trim().slice(0, 300)}`)
      return (await newestCommit()) ?? ''
    },
    clear,
    async prepare(newestErase) {
      const erased = existsSync(erasedFile) ? Number(readFileSync(erasedFile, 'utf8')) : null
      if (erased === newestErase) return
      clear()
      await git('init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder)
      writeFileSync(erasedFile, String(newestErase))
    },
  }
}

async function* fastImport(
  checkpoint: CheckpointCommit,
  parent: string | null,
  object: (hash: Hash) => Promise<Buffer | null>,
): AsyncGenerator<Buffer | string> {
  const message = Buffer.from(messageOf(checkpoint))
  yield `commit refs/heads/main\ncommitter ${COMMITTER} ${Math.floor(eventTime(checkpoint.time) / 1000)} +0000\ndata ${message.length}\n`
  yield message
  yield '\n'
  if (parent !== null) yield `from ${parent}\n`
  for (const { path, to, from } of checkpoint.changes) {
    if (!isForGit(path, to ?? from)) continue
    // Git keeps no empty folders, and an erased object is a hole here as everywhere.
    const bytes = to === null || to.object === null ? null : await object(to.object)
    if (to !== null && to.kind !== 'folder' && bytes !== null) {
      yield `M ${GIT_MODES[to.mode]} inline ${quote(path)}\ndata ${bytes.length}\n`
      yield bytes
      yield '\n'
    } else if (from !== null && from.kind !== 'folder') {
      yield `D ${quote(path)}\n`
    }
  }
  yield '\ndone\n'
}

function messageOf({ name, tree, head }: CheckpointCommit): string {
  const subject = name.replaceAll(/\s+/g, ' ').trim()
  return `${subject}\n\nChoir-Computer: ${head.computer}\nChoir-Seq: ${head.seq}\nChoir-Hash: ${head.hash}\nChoir-Tree: ${tree}\nChoir-Key: ${head.key}\nChoir-Signature: ${head.signature}\n`
}

/** The last match counts: a checkpoint may be named like a line of ours. */
function signedIn(message: string): SignedHead | null {
  const last = (name: string) =>
    message
      .match(new RegExp(`^Choir-${name}: .*$`, 'gm'))
      ?.at(-1)
      ?.slice(name.length + 8)
  const head = {
    computer: last('Computer'),
    seq: Number(last('Seq')),
    hash: last('Hash'),
    key: last('Key'),
    signature: last('Signature'),
  }
  return SignedHead.safeParse(head).data ?? null
}

/**
 * Git accepts no path that could be its own folder, in upper or lower case, and newer versions accept no symlink called
 * .gitmodules: one such name would make every checkpoint fail.
 */
function isForGit(path: TreePath, entry: Entry | null): boolean {
  const parts = path.toLowerCase().split('/')
  return !parts.includes('.git') && !(entry?.kind === 'symlink' && parts.at(-1) === '.gitmodules')
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

/** Deletions before additions: git cannot hold `a` and `a/b` at once, not even for a moment. */
export function gitChanges(before: ReadonlyMap<TreePath, Entry>, after: ReadonlyMap<TreePath, Entry>): Change[] {
  return diffTrees(before, after).sort((a, b) => Number(a.to !== null) - Number(b.to !== null))
}
