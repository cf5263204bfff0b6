import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { SOCKET_PATH_BYTES_MAX } from '@choiros/contract/home-folder.ts'

/** Where to listen for a socket in a folder: the kernel takes only short paths, and a home may have a long one. */
export function shortSocketPath(folder: string, name: string): { path: string; close(): void } {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return { path, close() {} }
  const handle = openSync(folder, 'r')
  return { path: `/proc/self/fd/${handle}/${name}`, close: () => closeSync(handle) }
}
