import type { ModelRequest } from '@choiros/contract/models.ts'

/**
 * No tokenizer would be right for every model, and a reservation must not be too small. So an ASCII character counts as
 * a third of a token, any other as one to two.
 */
const ASCII_PER_TOKEN = 3
const OTHER_BYTES_PER_TOKEN = 2

/** No provider counts more for a picture of the size that may be sent. */
const PICTURE_TOKENS = 3000

/** Of a whole request, as it is sent. Pictures do not count by their letters. */
export function guessRequestTokens(request: ModelRequest): number {
  let pictures = 0
  const words = JSON.stringify(request, (key, value: unknown) => {
    if (key !== 'pictures' || !Array.isArray(value)) return value
    pictures += value.length
    return []
  })
  return guessTokens(words) + pictures * PICTURE_TOKENS
}

export function guessTokens(text: string): number {
  // A character beyond ASCII is at least two bytes in UTF-8 and one or two units in a string.
  const bytes = Buffer.byteLength(text)
  const ascii = text.length - text.replaceAll(/[\u0000-\u007f]+/g, '').length
  return Math.ceil(ascii / ASCII_PER_TOKEN + (bytes - ascii) / OTHER_BYTES_PER_TOKEN)
}
