import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'

/** Path, mode (null: a symlink), and how many of the bytes are its. */
export type FreshFile = readonly [path: string, mode: number | null, length: number]

/** Files with the folders they need, parents first, and all their bytes in one piece, which passes to another thread without a copy. */
export interface FreshFiles {
  readonly folders: readonly string[]
  readonly files: readonly FreshFile[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type FreshReply = 'done' | { readonly message: string; readonly code: string | undefined }

export function writeFiles(root: string, { folders, files, bytes }: FreshFiles): void {
  for (const folder of folders) mkdirSync(`${root}/${folder}`)
  let at = 0
  for (const [path, mode, length] of files) {
    const content = bytes.subarray(at, at + length)
    at += length
    if (mode === null) symlinkSync(Buffer.from(content).toString('utf8'), `${root}/${path}`)
    else writeFileSync(`${root}/${path}`, content, { mode, flag: 'wx' })
  }
}
