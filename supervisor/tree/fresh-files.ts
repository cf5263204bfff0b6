import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'

/** Path, mode (null: a symlink), and how many of the bytes belong to it. */
export type FreshFile = readonly [path: string, mode: number | null, length: number]

/**
 * Files with the folders they need, parents first, and all their bytes in one piece, which passes to another thread
 * without a copy.
 */
export interface FreshFiles {
  readonly folders: readonly string[]
  readonly files: readonly FreshFile[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type FreshReply = 'done' | { readonly message: string; readonly code: string | undefined }

/** `made`: folders that exist already. Other threads may make the same folders at the same time. */
export function writeFiles(root: string, { folders, files, bytes }: FreshFiles, made: Set<string>): void {
  for (const folder of folders) if (!made.has(folder)) makeFolder(root, folder, made)
  let at = 0
  for (const [path, mode, length] of files) {
    const content = bytes.subarray(at, at + length)
    at += length
    if (mode === null) symlinkSync(Buffer.from(content).toString('utf8'), `${root}/${path}`)
    else writeFileSync(`${root}/${path}`, content, { mode, flag: 'wx' })
  }
}

function makeFolder(root: string, folder: string, made: Set<string>): void {
  made.add(folder)
  try {
    mkdirSync(`${root}/${folder}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
