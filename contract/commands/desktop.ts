import { z } from 'zod'
import { Geometry, WindowState } from '../events/windows.ts'
import { Seq, WindowId } from '../ids.ts'
import { SafeMode } from '../undo-view.ts'
import { change, type Command, everyone, look, ofGateway, owner, shortText, unicode } from './command.ts'

/** What is shown: windows, safe mode, and whether pages are well. */
export const DESKTOP_COMMANDS = {
  /**
   * While it is on, the desk serves the newest healthy desktop that starts, instead of the present one. `healthy` is
   * the landing of that desktop, null where it is the release's own. Files are not changed.
   */
  'safe-mode': {
    from: owner,
    role: 'editor',
    writes: false,
    rate: 'change',
    cost: 1,
    computer: true,
    input: z.strictObject({ on: z.boolean() }),
    output: SafeMode,
  },
  'safe-mode.get': {
    from: everyone,
    role: 'viewer',
    writes: false,
    rate: 'look',
    cost: 1,
    computer: true,
    input: z.strictObject({}),
    output: SafeMode,
  },
  /** Tells how many visible pages show the desktop now. Answers with the landing that still waits for a verdict. */
  'health.pages': {
    ...ofGateway,
    computer: true,
    input: z.strictObject({ visible: z.number().int().min(0).max(1000) }),
    output: z.strictObject({ pending: Seq.nullable() }),
  },
  /** A page's verdict on a landing. */
  'health.report': {
    ...change,
    from: ['gateway'],
    role: null,
    input: z.strictObject({
      land: Seq,
      ok: z.boolean(),
      why: unicode.max(1000),
      /** Where in the source it went wrong, a line each. */
      stack: unicode.max(4000).optional(),
    }),
    output: z.strictObject({}),
  },
  /** An app stopped working in a page. The answer says what can be done about it. */
  'render.report': {
    ...change,
    input: z.strictObject({ app: shortText, message: unicode.max(1000), stack: unicode.max(4000) }),
    output: z.strictObject({
      /** How often this was seen since the app last worked. */
      count: z.number().int(),
      /** Whether a model could mend it. */
      canMend: z.boolean(),
      /** The newest change of the app's own files, if it still stands. */
      change: z.strictObject({ unit: Seq, title: z.string() }).nullable(),
    }),
  },
  /** It works again. */
  'render.well': {
    ...change,
    input: z.strictObject({ app: shortText }),
    output: z.strictObject({}),
  },
  'window.open': {
    ...change,
    input: z.strictObject({ window: WindowId, app: shortText, title: shortText }),
    output: z.strictObject({ seq: Seq }),
  },
  'window.close': {
    ...change,
    input: z.strictObject({ window: WindowId }),
    output: z.strictObject({ seq: Seq }),
  },
  'window.settle': {
    ...change,
    input: z.strictObject({ window: WindowId, device: z.enum(['wide', 'narrow']), geometry: Geometry }),
    output: z.strictObject({ seq: Seq }),
  },
  'window.list': {
    ...look,
    input: z.strictObject({}),
    output: z.array(WindowState),
  },
} as const satisfies Record<string, Command>
