import type { RunPicture } from '@choiros/contract/events/runs.ts'
import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Hash, RunId } from '@choiros/contract/ids.ts'
import type { Ask } from './ask.ts'

export type KeptPicture = DataOf<typeof RunPicture>

interface Row extends Omit<KeptPicture, 'app'> {
  readonly app: string
}

const COLUMNS = 'moment, tree, app, object, bytes, width, height'

/** What trees looked like. */
export function createPictureQueries(ask: Ask) {
  const ofRun = ask(`SELECT ${COLUMNS} FROM picture WHERE run = ? ORDER BY app, moment DESC`)
  const ofTree = ask(`SELECT ${COLUMNS} FROM picture WHERE tree = ? AND app = ? LIMIT 1`)
  return {
    /** The desktop first, then apps by name; of each, before comes before after. */
    pictures: (run: RunId): KeptPicture[] => (ofRun().all(run) as Row[]).map(toPicture),
    /** One that was taken of this very tree, for whichever run. */
    pictureOf(tree: Hash, app: string | null): KeptPicture | null {
      const row = ofTree().get(tree, app ?? '') as Row | undefined
      return row === undefined ? null : toPicture(row)
    },
  }
}

function toPicture({ app, ...row }: Row): KeptPicture {
  return { ...row, app: app === '' ? null : app }
}
