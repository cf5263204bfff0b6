import type { Models } from './models.ts'

/**
 * Models through the AI SDK, which is loaded with the first call: it is a fifth of what a supervisor loads, and most
 * starts need no model.
 */
export function openAiSdkModels(): Models {
  return {
    async call(call) {
      const { callOnce } = await import('./ai-sdk-call.ts')
      return await callOnce(call)
    },
  }
}
