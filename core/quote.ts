/**
 * A datum in a prompt: a file's name, a window's title, somebody's words. In one line and in quotes whatever is in it,
 * so that no name with line breaks can pass for a line of the prompt itself.
 */
export function quoted(text: string): string {
  // Line ends that JSON leaves as they are, and what turns the direction of writing around.
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    },
  )
}
