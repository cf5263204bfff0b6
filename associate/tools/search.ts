import { SearchInput } from '@choiros/contract/search.ts'
import { filesFitting, searchLines } from '@choiros/guest/search-lines.ts'
import { define, listFrom, readFrom } from './tool.ts'

export const search = define({
  description:
    'Finds lines by text, or by pattern (a JavaScript regular expression), in the files below a folder ("" for all, "sdk/" for the SDK), only in those that a glob fits ("**/*.tsx"), with so many lines of context around each.',
  input: SearchInput,
  use(bench, input) {
    const files = filesFitting(listFrom(bench, input.folder ?? ''), input)
    return searchLines(files, (file) => readOrNull(() => readFrom(bench, file)), input)
  },
})

function readOrNull(work: () => string): string | null {
  try {
    return work()
  } catch {
    return null // No text, or gone: it has no lines that could fit.
  }
}
