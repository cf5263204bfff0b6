/**
 * Untrusted text in a prompt: a file's name, a window's title, somebody's words. Always in one line and in quotes, so
 * that a name with line breaks cannot pass for a line of the prompt itself.
 */
export function quoted(text: string): string {
  // Line ends that JSON does not escape, and characters that reverse the direction of writing.
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    },
  )
}
