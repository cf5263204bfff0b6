import { symlinkSync, writeFileSync } from 'node:fs'

/** Path, mode (null: a symlink), and how many of the bytes are its. */
export type FreshFile = readonly [path: string, mode: number | null, length: number]

/** Files for folders that are there, and all their bytes in one piece, which passes to another thread without a copy. */
export interface FreshFiles {
  readonly files: readonly FreshFile[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type FreshReply = 'done' | { readonly message: string; readonly code: string | undefined }

export function writeFiles(root: string, { files, bytes }: FreshFiles): void {
  let at = 0
  for (const [path, mode, length] of files) {
    const content = bytes.subarray(at, at + length)
    at += length
    if (mode === null) symlinkSync(Buffer.from(content).toString('utf8'), `${root}/${path}`)
    else writeFileSync(`${root}/${path}`, content, { mode, flag: 'wx' })
  }
}
