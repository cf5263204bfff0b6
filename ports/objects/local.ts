import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sha256, sha256Stream } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { toStorageError } from '../storage-error.ts'
import type { Objects, ObjectStep } from './objects.ts'

export interface LocalObjectsOptions {
  readonly folder: string
  readonly reached?: (step: ObjectStep) => void
}

const PARTIAL = '.partial-'

/** One file per object in one flat folder, named by its hash. */
export async function openLocalObjects({ folder, reached = () => {} }: LocalObjectsOptions): Promise<Objects> {
  await mkdir(folder, { recursive: true })
  // What a crash left half written has no name that anything refers to.
  for (const name of await readdir(folder)) if (name.startsWith(PARTIAL)) await rm(join(folder, name), { force: true })

  return {
    async put(source, bytesMax) {
      const partial = join(folder, `${PARTIAL}${randomBytes(8).toString('hex')}`)
      try {
        const { hash, size } = await writePartial(partial, source, bytesMax, reached)
        const final = join(folder, hash)
        if (await exists(final)) {
          // Young again: garbage collection must not take what was just stored a second time.
          await utimes(final, new Date(), new Date())
          await rm(partial)
        } else {
          await rename(partial, final)
          reached('object.rename.after')
        }
        await fsyncFolder(folder)
        reached('object.folder-fsync.after')
        return { hash, size }
      } catch (error) {
        await rm(partial, { force: true })
        throw toStorageError(error, 'saving an object')
      }
    },
    async get(hash) {
      const bytes = await readIfThere(join(folder, hash))
      if (bytes !== null && sha256(bytes) !== hash) {
        throw new ChoirError('object.corrupt', `object ${hash} is damaged on disk: its bytes are not what its name says`)
      }
      return bytes
    },
    async size(hash) {
      return (await stat(join(folder, hash)).catch(() => null))?.size ?? null
    },
    async delete(hash) {
      await rm(join(folder, hash), { force: true })
      await fsyncFolder(folder)
    },
    async list() {
      const found: { hash: Hash; storedMs: number }[] = []
      for (const name of await readdir(folder)) {
        if (name.startsWith(PARTIAL)) continue
        const { mtimeMs } = await stat(join(folder, name))
        found.push({ hash: name as Hash, storedMs: mtimeMs })
      }
      return found
    },
    async close() {},
  }
}

async function writePartial(partial: string, source: Readable | Uint8Array, bytesMax: number, reached: (step: ObjectStep) => void) {
  reached('object.write.before')
  const file: FileHandle = await open(partial, 'wx', 0o600)
  try {
    const digest = sha256Stream()
    let size = 0
    for await (const piece of source instanceof Readable ? source : [source]) {
      const bytes = piece as Uint8Array
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

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw toStorageError(error, 'reading an object')
  }
}
