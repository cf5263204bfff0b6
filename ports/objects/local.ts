import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256, sha256Stream } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { Hash } from '@choiros/contract/ids.ts'
import { toStorageError } from '../storage-error.ts'
import type { Objects, ObjectStep } from './objects.ts'

export interface LocalObjectsOptions {
  readonly folder: string
  readonly reached?: (step: ObjectStep) => void
}

const PARTIAL = '.partial-'
const PIECE_BYTES = 256 * 1024

/** One file per object in one flat folder, named by its hash. */
export async function openLocalObjects({ folder, reached = () => {} }: LocalObjectsOptions): Promise<Objects> {
  await guard('opening the objects', () => prepareFolder(folder))
  return {
    async put(source, bytesMax) {
      const partial = join(folder, `${PARTIAL}${randomBytes(8).toString('hex')}`)
      try {
        const { hash, size } = await writePartial(partial, source, bytesMax, reached)
        // Also over an object of that name: this heals one that the disk has damaged, and makes it young again for
        // garbage collection.
        await rename(partial, join(folder, hash))
        reached('object.rename.after')
        await fsyncFolder(folder)
        reached('object.folder-fsync.after')
        return { hash, size }
      } catch (error) {
        await rm(partial, { force: true })
        throw toStorageError(error, 'saving an object')
      }
    },
    async get(hash) {
      const bytes = await guard('reading an object', () => ifThere(readFile(join(folder, hash))))
      if (bytes !== null && sha256(bytes) !== hash) throw damaged(hash)
      return bytes
    },
    async size(hash) {
      const found = await guard('reading an object', () => ifThere(stat(join(folder, hash))))
      return found?.size ?? null
    },
    async stream(hash) {
      const found = await guard('reading an object', () => ifThere(stat(join(folder, hash))))
      return found === null ? null : { size: found.size, pieces: checkedPieces(join(folder, hash), hash) }
    },
    async erase(hashes) {
      await guard('deleting an object', async () => {
        for (const hash of hashes) await rm(join(folder, hash), { force: true })
        await fsyncFolder(folder)
      })
    },
    strays: () => guard('listing the objects', () => listFolder(folder)),
    async close() {},
  }
}

/**
 * When damage is found, the reader has got all but the last piece: it can break off, and cannot take what it has for
 * the whole.
 */
async function* checkedPieces(file: string, hash: Hash): AsyncGenerator<Buffer> {
  const digest = sha256Stream()
  let last: Buffer | null = null
  for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    if (last !== null) yield last
    digest.update(piece)
    last = piece
  }
  if (digest.digest() !== hash) throw damaged(hash)
  if (last !== null) yield last
}

function damaged(hash: Hash): ChoirError {
  return new ChoirError('object.corrupt', `object ${hash} is damaged on disk: its bytes are not what its name says`)
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await fsyncFolder(dirname(folder))
  // What a crash left half written has a name that nothing refers to.
  for (const name of await readdir(folder)) if (name.startsWith(PARTIAL)) await rm(join(folder, name), { force: true })
}

async function listFolder(folder: string): Promise<{ hash: Hash; storedMs: number }[]> {
  const found: { hash: Hash; storedMs: number }[] = []
  for (const name of await readdir(folder)) {
    const hash = Hash.safeParse(name) // Anything else here is not ours, and garbage collection deletes what is listed.
    const file = hash.success ? await ifThere(stat(join(folder, name))) : null
    if (hash.success && file !== null) found.push({ hash: hash.data, storedMs: file.mtimeMs })
  }
  return found
}

async function writePartial(
  partial: string,
  source: AsyncIterable<Uint8Array> | Uint8Array,
  bytesMax: number,
  reached: (step: ObjectStep) => void,
) {
  reached('object.write.before')
  const file: FileHandle = await open(partial, 'wx', 0o600)
  try {
    const digest = sha256Stream()
    let size = 0
    for await (const bytes of source instanceof Uint8Array ? [source] : source) {
      size += bytes.length
      if (size > bytesMax) throw new ChoirError('file.too-large', `the file is over the limit of ${bytesMax} bytes`)
      digest.update(bytes)
      await file.writeFile(bytes)
    }
    reached('object.fsync.before')
    await file.datasync()
    reached('object.fsync.after')
    return { hash: digest.digest(), size }
  } finally {
    await file.close()
  }
}

/** A rename is only on disk when the folder is. */
async function fsyncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Only a missing file is "not there": a failing disk must not look like an object that never was. */
async function ifThere<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function guard<Result>(doing: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw toStorageError(error, doing)
  }
}
