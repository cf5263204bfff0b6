import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, type BigIntStats } from 'node:fs'
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import type { ServerHttp2Stream } from 'node:http2'
import { join } from 'node:path'
import { frame, readAll } from './frames.ts'
import type { HashMemory } from './hash-memory.ts'

interface CollectRequest {
  readonly root: string
  /** Hashes of objects that the host already has: their bytes need not be sent. */
  readonly known: readonly string[]
  /** Names that no tree holds. */
  readonly ignored: readonly string[]
}

const PIECE_BYTES = 256 * 1024

/**
 * Sends what is in a folder: one frame of facts for each entry, then its bytes if the host does not have them. Limits
 * are the host's: it hangs up when it has had enough, and believes nothing that it cannot hash itself.
 */
export async function collect(stream: ServerHttp2Stream, memory: HashMemory): Promise<void> {
  const { root, known, ignored } = JSON.parse((await readAll(stream)).toString('utf8')) as CollectRequest
  stream.respond({ ':status': 200 })
  const send = async (kind: string, bytes: Buffer) => {
    if (stream.destroyed) throw new Error('the host hung up')
    if (!stream.write(frame(kind, bytes))) await once(stream, 'drain')
  }
  try {
    await walk(root, '', { known: new Set(known), ignored: new Set(ignored), memory, send })
    if (!stream.destroyed) stream.end(frame('e', Buffer.from('{"ok":true}')))
  } catch (error) {
    if (!stream.destroyed)
      stream.end(frame('e', Buffer.from(JSON.stringify({ ok: false, why: (error as Error).message }))))
  }
}

interface Walk {
  readonly known: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
  readonly memory: HashMemory
  send(kind: string, bytes: Buffer): Promise<void>
}

async function walk(root: string, folder: string, to: Walk): Promise<void> {
  const names = (await readNames(join(root, folder))).filter((name) => !to.ignored.has(name)).sort()
  if (names.length === 0 && folder !== '')
    return tell(to, { path: folder, kind: 'folder', mode: '755', hash: null, size: 0 })
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`
    const facts = await lstat(join(root, path), { bigint: true }).catch(() => null)
    if (facts === null) continue // It was deleted while we looked.
    if (facts.isDirectory()) await walk(root, path, to)
    else if (facts.isSymbolicLink()) {
      const target = Buffer.from(await readlink(join(root, path), 'buffer'))
      await tell(to, { path, kind: 'symlink', mode: '777', hash: null, size: target.length })
      await to.send('b', target)
    } else if (facts.isFile()) await sendFile(root, path, facts, to)
    // Sockets, pipes and devices are no part of a tree.
  }
}

/** Names that are no UTF-8 stay behind: no tree can hold them. */
async function readNames(folder: string): Promise<string[]> {
  const names = await readdir(folder, 'buffer')
  return names.filter((name) => isUtf8(name)).map((name) => name.toString('utf8'))
}

async function sendFile(root: string, path: string, found: BigIntStats, to: Walk): Promise<void> {
  const mode = (found.mode & 0o111n) === 0n ? '644' : '755'
  const unchanged = to.memory.recall(join(root, path), found)
  if (unchanged !== null && to.known.has(unchanged))
    return tell(to, { path, kind: 'file', mode, hash: unchanged, size: Number(found.size) })
  // It may have become a link or a pipe meanwhile: a link is not followed, and a pipe is not waited for.
  const file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const [facts, readMs] = [await file.stat({ bigint: true }), Date.now()]
    const digest = createHash('sha256')
    let size = 0
    for await (const piece of file.readableWebStream({ autoClose: false }) as unknown as AsyncIterable<Uint8Array>) {
      digest.update(piece)
      size += piece.byteLength
    }
    const hash = digest.digest('hex')
    to.memory.keep(join(root, path), facts, hash, readMs)
    const isKnown = to.known.has(hash)
    await tell(to, { path, kind: 'file', mode, hash: isKnown ? hash : null, size })
    if (isKnown) return
    const buffer = Buffer.alloc(PIECE_BYTES)
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE_BYTES, size - at), at)
      if (bytesRead === 0) break
      await to.send('b', Buffer.from(buffer.subarray(0, bytesRead)))
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

function tell(to: Walk, facts: Record<string, unknown>): Promise<void> {
  return to.send('n', Buffer.from(JSON.stringify(facts)))
}
