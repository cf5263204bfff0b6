import { ChoirError } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { LookAnswer, lookMs, LookRequest, type LookInput, type Seen } from '@choiros/contract/look.ts'
import type { TreeMap } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import type { Trees } from '../tree/trees.ts'

export interface LookTools {
  readonly host: SandboxHost
  readonly trees: Trees
  /** The folder with the packages that the desktop may import. */
  readonly packages: string
  /** Null: there is no browser, and nothing can be seen. */
  readonly browser: string | null
}

/** What is looked at: a tree, and those of its objects that the computer does not keep yet. */
export interface LookedAt {
  readonly tree: TreeMap
  readonly objects?: ReadonlyMap<Hash, ObjectBytes>
  /** Names the sandbox in lists. */
  readonly name: string
}

/** For the sandbox, besides what each look may take. */
const START_MS = 30_000
const LOOKS_MAX = 8
/** A picture, and beside it all that is told about it. */
const ANSWER_BYTES_MAX = LIMITS.pictureBase64Max + 4 * LIMITS.lookOutlineCharsMax

/**
 * Opens a tree's desktop, or one app in it, in a browser in a sandbox of its own, does what is asked there, and tells
 * what was seen. Nothing that is done there lasts. The tree's code runs meanwhile: all of it is that code's own word.
 */
export async function lookAt(tools: LookTools, at: LookedAt, request: LookInput, signal: AbortSignal): Promise<Seen> {
  const [seen] = await lookAtAll(tools, at, [request], signal)
  if (seen === undefined) throw new ChoirError('sandbox.unavailable', 'nothing was seen')
  return seen
}

/** Several looks with one browser, each in a page of its own. */
export async function lookAtAll(
  { host, trees, packages, browser }: LookTools,
  { tree, objects, name }: LookedAt,
  requests: readonly LookInput[],
  signal: AbortSignal,
): Promise<Seen[]> {
  if (browser === null) throw new ChoirError('sandbox.unavailable', 'there is no browser on this machine to look with')
  const asked = requests.slice(0, LOOKS_MAX).map((request) => LookRequest.parse(request))
  const { folder } = await trees.materialise(tree, objects)
  const { end, output, truncated } = await host.runOnce(
    {
      name,
      role: 'eyes',
      mounts: [
        { host: folder, guest: '/tree' },
        { host: packages, guest: '/node_modules' },
      ],
      scratch: [],
      syscallSocket: null,
    },
    {
      command: [
        '/opt/choir/node',
        '--import=/opt/choir/toolchain/only-toolchain.mjs',
        '/opt/choir/agents/eyes.mjs',
        '/tree',
        '/tmp/eyes',
        JSON.stringify(asked),
      ],
      cwd: '/tree',
      environment: { CHOIR_BROWSER: browser },
      wallClockMs: asked.reduce((sum, request) => sum + lookMs(request), START_MS),
      outputBytesMax: asked.length * ANSWER_BYTES_MAX,
    },
    signal,
  )
  signal.throwIfAborted()
  if (end !== 'exited' || truncated)
    throw new ChoirError('sandbox.unavailable', 'looking at it took too long, or told too much')
  return readAnswers(output.toString('utf8'), asked.length)
}

/** What comes out of there is untrusted: it is what the contract says, or it is not used. */
function readAnswers(output: string, count: number): Seen[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.slice(0, count).map((line) => {
    const answer = LookAnswer.safeParse(parse(line))
    if (!answer.success) throw new ChoirError('sandbox.unavailable', 'what was seen cannot be read')
    if ('error' in answer.data) throw new ChoirError('sandbox.unavailable', answer.data.error)
    return answer.data.seen
  })
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
