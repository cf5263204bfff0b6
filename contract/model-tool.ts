import { z } from 'zod'
import type { ModelTool } from './models.ts'

/** A tool as a model is told of it: without what says nothing to a model and is paid for in every call. */
export function modelTool(name: string, description: string, input: z.ZodType): ModelTool {
  const { $schema: _, ...shape } = z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>
  return { name, description, input: shape }
}
