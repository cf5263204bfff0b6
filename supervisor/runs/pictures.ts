import { RunPicture } from '@choiros/contract/events/runs.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Hash, RunId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { SentPicture } from '@choiros/contract/look.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Computer } from '../computer/computer.ts'
import { agentDraft } from '../computer/drafts.ts'
import type { KeptPicture } from '../state/queries/picture-queries.ts'

/** What all pictures of one verdict may add to a verifier's output. */
export const PICTURES_OUTPUT_BYTES_MAX = LIMITS.picturesPerVerdictMax * LIMITS.pictureBase64Max

export interface TakenPicture {
  readonly app: string | null
  readonly picture: SentPicture
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/**
 * Keeps pictures that came out of a sandbox, as objects that events name. They are bytes from where hostile code runs:
 * counted, measured, looked at in their first three bytes, and decoded by nobody but a page that shows them.
 */
export async function keepPictures(
  computer: Computer,
  run: RunId,
  moment: KeptPicture['moment'],
  tree: Hash,
  taken: readonly TakenPicture[],
): Promise<void> {
  for (const { app, picture } of taken.slice(0, LIMITS.picturesPerVerdictMax)) {
    const object = toObject(picture)
    if (object === null) continue
    const { width, height } = picture
    await keep(computer, run, { moment, tree, app, object: object.hash, bytes: object.bytes.length, width, height }, [
      object,
    ])
  }
}

/** The same picture for another run: nothing has to be taken again. */
export async function keepAgain(computer: Computer, run: RunId, known: KeptPicture): Promise<void> {
  await keep(computer, run, { ...known, moment: 'before' }, [])
}

async function keep(computer: Computer, run: RunId, data: KeptPicture, objects: readonly ObjectBytes[]): Promise<void> {
  await computer.append(({ state }) => {
    const known = state.pictures(run)
    const before = known.find(({ moment, app }) => moment === data.moment && app === data.app)
    // A run that is sent back often must not fill the log with what it looked like each time (L11).
    if (before?.object === data.object || (before === undefined && known.length >= LIMITS.picturesPerRunMax))
      return null
    return { draft: agentDraft(computer, run, RunPicture, data, 'system'), objects: [...objects] }
  })
}

function toObject({ base64 }: SentPicture): ObjectBytes | null {
  const bytes = Buffer.from(base64, 'base64')
  const isGood = bytes.length <= LIMITS.pictureBytesMax && bytes.subarray(0, JPEG.length).equals(JPEG)
  return isGood ? { hash: sha256(bytes), bytes } : null
}
