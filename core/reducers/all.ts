import { budgets } from './budgets.ts'
import { faults } from './faults.ts'
import { files } from './files.ts'
import { memory } from './memory.ts'
import { pictures } from './pictures.ts'
import { points } from './points.ts'
import { policy } from './policy.ts'
import type { Reducer } from './reducer.ts'
import { room } from './room.ts'
import { runs } from './runs.ts'
import { talk } from './talk.ts'
import { undoStack } from './undo-stack.ts'
import { windows } from './windows.ts'

export const REDUCERS: readonly Reducer[] = [
  files,
  undoStack,
  talk,
  runs,
  windows,
  points,
  budgets,
  room,
  faults,
  memory,
  policy,
  pictures,
]

/** Stored with the tables: if it differs, the tables are rebuilt. */
export const REDUCERS_VERSION = REDUCERS.map((reducer) => `${reducer.name}@${reducer.version}`).join(' ')
