/** Outside the checkout: `git clean` must not delete a computer. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>, userFolder: string): string {
  const data = environment.XDG_DATA_HOME
  return `${data !== undefined && data.startsWith('/') ? data : `${userFolder}/.local/share`}/choiros`
}

/** The supervisor's socket in a home, and the file that proves the right to use it. */
export const SOCKET_NAME = 'supervisor.sock'
export const TOKEN_NAME = 'token'
/** The front door's own token; it may speak for frame and desktop. */
export const GATEWAY_TOKEN_NAME = 'gateway-token'
export const LOCK_NAME = 'lock.sqlite'

/** The kernel takes 107 bytes for a socket's path; a home may lie deeper. Through an open folder's number the path is always short. */
export const SOCKET_PATH_BYTES_MAX = 100
