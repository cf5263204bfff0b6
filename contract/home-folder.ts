/** Outside the checkout: `git clean` must not delete a computer. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>, userFolder: string): string {
  const data = environment.XDG_DATA_HOME
  return `${data !== undefined && data.startsWith('/') ? data : `${userFolder}/.local/share`}/choiros`
}

/**
 * What a command needs to be about this home, as a shell takes it: without it the command would be about the one in its
 * usual place.
 */
export function homeOption(home: string, userFolder: string): string {
  if (home === homeFolder({}, userFolder)) return ''
  return ` --home ${/^[\w./-]+$/.test(home) ? home : `'${home.replaceAll("'", "'\\''")}'`}`
}

/** The command as whoever started this would type it: without `npm link` there is only npm's way. */
export function choirCommand(environment: Readonly<Record<string, string | undefined>>): string {
  return ['start', 'choir'].includes(environment['npm_lifecycle_event'] ?? '') ? 'npm run -s choir --' : 'choir'
}

/** Where the front door is, unless another is asked for. */
export const DEFAULT_PORT = 4000

/** The supervisor's socket in a home, and the file that proves the right to use it. */
export const SOCKET_NAME = 'supervisor.sock'
export const TOKEN_NAME = 'token'
/** The front door's own token; it may speak for frame and desktop. */
export const GATEWAY_TOKEN_NAME = 'gateway-token'
export const LOCK_NAME = 'lock.sqlite'
/** The front door's own folder: its sessions, and its way to the supervisor. */
export const FRONT_DOOR_FOLDER = 'front-door'
/**
 * Where the start has root, the front door is another Unix user: whoever takes it over reads neither the home nor the
 * supervisor's memory.
 */
export const FRONT_DOOR_UID = 60_999
/** Who holds the home, for a person who finds it held. */
export const RUNNING_NAME = 'running.json'
/** `started`: the kernel's own word for when the process began, so that a number used again is not taken for it. */
export interface RunningProcess {
  readonly pid: number
  readonly started: string
}
export interface Running extends RunningProcess {
  /** The launcher, which would start it again. */
  readonly keeper: RunningProcess | null
  readonly address: string | null
}

/**
 * The kernel takes 107 bytes for a socket's path; a home may lie deeper. Through an open folder's number the path is
 * always short.
 */
export const SOCKET_PATH_BYTES_MAX = 100
