import { z } from 'zod'
import { partOf } from '@choiros/guest/numbered-lines.ts'
import { define, listFrom, readFrom, sizeFrom } from './tool.ts'

export const path = z.string().min(1).max(1024)

const LISTED_MAX = 500

export const list = define({
  description:
    'Lists files below a folder, with their sizes. "" is everything; "sdk/" is the SDK that apps are written with.',
  input: z.strictObject({ folder: z.string().max(1024) }),
  use(bench, { folder }) {
    const found = listFrom(bench, folder)
    const shown = found.slice(0, LISTED_MAX).map((file) => `${file} (${sizeFrom(bench, file)})`)
    const more = found.length > shown.length ? [`(${found.length} files in all; name a folder to see the others)`] : []
    return [...shown, ...more].join('\n') || 'nothing is there'
  },
})

const LINES = 400

export const read = define({
  description:
    'Reads a text file, or a part of it by lines, with line numbers that are not part of the file. Also the whole output of a command, as output/1.',
  input: z.strictObject({
    path,
    from_line: z.number().int().min(1).optional(),
    lines: z.number().int().min(1).max(2000).optional(),
  }),
  use(bench, { path: file, from_line: from = 1, lines = LINES }) {
    return partOf(file, readFrom(bench, file), from, lines)
  },
})
