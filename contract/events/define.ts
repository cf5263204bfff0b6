import { z } from 'zod'
import { LIMITS } from '../limits.ts'

export interface EventDefinition<Shape extends z.ZodType = z.ZodType> {
  readonly type: string
  readonly version: number
  readonly data: Shape
}

export function defineEvent<Shape extends z.ZodType>(
  type: string,
  version: number,
  data: Shape,
): EventDefinition<Shape> {
  return { type, version, data }
}

export const shortText = z.string().max(LIMITS.nameCharsMax)
export const sentence = z.string().max(LIMITS.messageBytesMax)
