import { z } from 'zod'
import { nearestLines } from './nearest-lines.ts'
import { checkScope, define } from './tool.ts'
import { numbered } from '@choiros/guest/numbered-lines.ts'
import { path } from './read.ts'

const Edit = z.strictObject({ old: z.string().min(1), new: z.string(), all: z.boolean().optional() })
type Edit = z.infer<typeof Edit>

const EDITS_MAX = 50

export const edit = define({
  description:
    'Replaces exact pieces of a file by others: one with old and new, or several with edits, in order, all or none. Each piece must occur exactly once, or give all: true to replace it wherever it occurs. Line numbers of read are not part of the file.',
  input: z.strictObject({
    path,
    old: z.string().min(1).optional(),
    new: z.string().optional(),
    all: z.boolean().optional(),
    edits: z.array(Edit).min(1).max(EDITS_MAX).optional(),
  }),
  use({ stage, scope }, { path: file, old, new: fresh, all = false, edits }) {
    checkScope(scope, file)
    const wanted = edits ?? (old === undefined || fresh === undefined ? null : [{ old, new: fresh, all }])
    if (wanted === null || (edits !== undefined && old !== undefined))
      throw new Error('give either old and new, or edits')
    const before = stage.read(file)
    if (before === null) throw new Error(`there is no text file ${file}`)
    const after = wanted.reduce((text, one, index) => applyEdit(text, one, file, nameOf(index, wanted.length)), before)
    if (after === before) throw new Error(`${file} is like that already`)
    stage.write(file, after)
    return `changed ${file}${wanted.length === 1 ? '' : ` in ${wanted.length} places`}`
  },
})

function nameOf(index: number, count: number): string {
  return count === 1 ? 'the piece to replace' : `edit ${index + 1}: its piece`
}

function applyEdit(text: string, { old, new: fresh, all }: Edit, file: string, name: string): string {
  const count = text.split(old).length - 1
  if (count === 1 || (count > 1 && all === true)) return text.split(old).join(fresh)
  if (count > 1)
    throw new Error(
      `${name} occurs ${count} times in ${file}, in lines ${linesOf(text, old).join(', ')}: take a longer one, or give all: true. Nothing was changed.`,
    )
  throw new Error(`${name} is not in ${file}. ${nearWords(text, old)} Nothing was changed.`)
}

const SHOWN_MAX = 10

function linesOf(text: string, piece: string): number[] {
  const lines: number[] = []
  for (let at = text.indexOf(piece); at !== -1 && lines.length < SHOWN_MAX; at = text.indexOf(piece, at + 1))
    lines.push(text.slice(0, at).split('\n').length)
  return lines
}

function nearWords(text: string, old: string): string {
  const near = nearestLines(text, old)
  if (near === null) return 'Nothing in it is like that: read it again.'
  const { line, is, wanted } = near.differs
  const shown = numbered(near.lines.slice(0, SHOWN_MAX), near.line)
  const how =
    is.trim() === wanted.trim() && is !== wanted
      ? `line ${line} differs in white space only`
      : `line ${line} is ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`
  return `The nearest lines are:\n${shown}\n(${how}).`
}
