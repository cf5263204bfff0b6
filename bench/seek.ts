import { join } from 'node:path'
import { openState } from '@choiros/supervisor/state/state.ts'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { computerOf, FILES_1K, FILES_1M, ownCopy, type HistorySpec } from './histories.ts'
import { interleave, time } from './measure.ts'
import { createRandom } from './random.ts'
import type { Row, Section } from './report.ts'

const TIME_MAX = 2
/** The first events upload the files; before the last of these events there are fewer than 10,000. */
const UPLOADED_BY = 25

const NOTES = [
  'Ours reads the whole tree at a random point of the history, another one in every sample. Raw reads the whole present tree from the same tables.',
]

export async function run(runFolder: string): Promise<Section> {
  return { rows: [await row(runFolder, FILES_1K), await row(runFolder, FILES_1M)], memory: [], notes: NOTES }
}

async function row(runFolder: string, spec: HistorySpec): Promise<Row> {
  const folder = await ownCopy(await computerOf(runFolder, spec), join(runFolder, `seek-${spec.name}`), [PLACES.state])
  const state = openState(join(folder, PLACES.state))
  const random = createRandom(4)
  try {
    const pair = await interleave(
      () => {
        const seq = UPLOADED_BY + random.whole(spec.events - UPLOADED_BY)
        return time(() => state.queries.entriesAt(seq))
      },
      () => time(() => state.queries.allEntries()),
    )
    return {
      promise: `seek to any past tree, 10,000 files, ${spec.events.toLocaleString('en')} events`,
      against: 'reading the present tree',
      ...pair,
      timeAtMost: TIME_MAX,
    }
  } finally {
    state.close()
  }
}
