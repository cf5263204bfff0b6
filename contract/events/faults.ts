import { z } from 'zod'
import { defineEvent, sentence, shortText } from './define.ts'

/** An app stopped working in a page that somebody looks at. `stack`: where in the source, a line each. */
export const RenderError = defineEvent(
  'render.error',
  1,
  z.strictObject({ app: shortText, message: sentence, stack: sentence }),
)
/** It works again. */
export const RenderWell = defineEvent('render.well', 1, z.strictObject({ app: shortText }))

export const FAULTS_EVENTS = [RenderError, RenderWell]
