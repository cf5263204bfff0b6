/** Outside the checkout: `git clean` must not delete a computer. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>, userFolder: string): string {
  const data = environment.XDG_DATA_HOME
  return `${data !== undefined && data.startsWith('/') ? data : `${userFolder}/.local/share`}/choiros`
}

/**
 * The option, quoted for a shell, that makes a command be about this home. Empty for the home in the usual place, which
 * commands take without it.
 */
export function homeOption(home: string, userFolder: string): string {
  if (home === homeFolder({}, userFolder)) return ''
  return ` --home ${/^[\w./-]+$/.test(home) ? home : `'${home.replaceAll("'", "'\\''")}'`}`
}

/** The command as the person who started this would type it: without `npm link` there is only npm's way. */
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
/** The front door's own folder: its sign-ins, and its way to the supervisor. */
export const FRONT_DOOR_FOLDER = 'front-door'
/**
 * Where ChoirOS is started as root, the front door runs as this Unix user: an attacker who takes it over can read
 * neither the home nor the supervisor's memory.
 */
export const FRONT_DOOR_UID = 60_999
/** Names the process that holds the home, for a person who finds it locked. */
export const RUNNING_NAME = 'running.json'
/**
 * `started`: when the process began, as the kernel says it, so that another process with a reused pid is not taken for
 * it.
 */
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
 * The kernel takes 107 bytes for a socket's path, and a home may lie deeper. A path through an open folder's descriptor
 * is always short.
 */
export const SOCKET_PATH_BYTES_MAX = 100
