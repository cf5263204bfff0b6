import type { EvalTask } from './task.ts'
import { CHANGES } from './tasks/changes.ts'
import { DOCUMENTS } from './tasks/documents.ts'
import { LOOKS } from './tasks/looks.ts'
import { NEW_APPS } from './tasks/new-apps.ts'
import { REFUSALS } from './tasks/refusals.ts'
import { UNDO } from './tasks/undo.ts'

/** Ten of each class. */
export const TASKS: readonly EvalTask[] = [...LOOKS, ...NEW_APPS, ...CHANGES, ...DOCUMENTS, ...REFUSALS, ...UNDO]
