import {
  closeSync,
  createWriteStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ChoirError } from '@choiros/contract/error.ts'
import { RESCUE_HEADER } from '@choiros/contract/routes.ts'
import { Rescued } from '@choiros/contract/wire.ts'
import { TreePath } from '@choiros/contract/path.ts'
import { take } from './arguments.ts'
import { toSeq } from './given.ts'
import { readAll } from './connection.ts'
import type { Call, Command } from './command.ts'
import { printable } from './text.ts'

export const exportTo: Command = async ({ client, positionals, values, show }) => {
  const [name] = take(positionals, ['FILE'])
  const file = resolve(name ?? '')
  const partial = `${file}.partial`
  for (const place of [file, partial])
    if (!isFree(place))
      throw new ChoirError('request.invalid', `${place} is there already and is no ChoirOS export; choose another name`)
  const response = await client.export(values.rescue)
  try {
    await pipeline(response, createWriteStream(partial, { mode: 0o600 }))
    fsync(partial)
    renameSync(partial, file)
    fsync(dirname(file))
  } catch (cause) {
    rmSync(partial, { force: true })
    throw new ChoirError('request.invalid', `the export could not be written to ${name}: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (values.rescue) return showRescue(file, name ?? '', response.headers[RESCUE_HEADER], show)
  return show({ file }, `exported to ${name}; "choir import" makes a computer of it anywhere`)
}

function showRescue(file: string, name: string, told: string | string[] | undefined, show: Call['show']): void {
  const rescued = Rescued.parse(JSON.parse(decodeURIComponent(String(told))))
  const text = [
    `rescued events 1 to ${rescued.events} to ${name}`,
    ...(rescued.problem === null
      ? []
      : [
          `what comes after cannot be read: ${printable(rescued.problem)}`,
          'your files as they are now are in it all the same, as its last event',
        ]),
    ...(rescued.lost === 0
      ? []
      : [`${rescued.lost} versions of files are lost; the new computer will know them as erased`]),
    `"choir import ${name} --name NAME" makes a computer of it`,
  ]
  show({ file, ...rescued }, text.join('\n'))
}

export const importFrom: Command = async ({ client, positionals, values, show }) => {
  const [name] = take(positionals, ['FILE'])
  const file = resolve(name ?? '')
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new ChoirError('request.invalid', `there is no file ${name}`)
  const computer = await client.import(file, values.name ?? null)
  show(computer, `made ${computer.name}; say --computer ${computer.name} to use it where you have several`)
}

export const replayInto: Command = async ({ client, positionals, values, show }) => {
  take(positionals, [])
  const to = toSeq(values.to, '--to')
  const into = values.into === undefined ? null : resolve(values.into)
  if (into !== null) makeEmptyFolder(into)
  const report = await client.run('replay', { to })
  if (into !== null) {
    const { files } = await client.run('tree', { at: report.seq as NonNullable<typeof to> })
    for (const [path, entry] of Object.entries(files)) {
      const target = join(into, TreePath.parse(path))
      mkdirSync(entry.kind === 'folder' ? target : dirname(target), { recursive: true })
      if (entry.kind === 'folder') continue
      const bytes = await readAll(await client.readFile(path, report.seq))
      if (entry.kind === 'symlink') symlinkSync(bytes.toString('utf8'), target)
      else writeFileSync(target, bytes, { mode: entry.mode === '755' ? 0o755 : 0o644, flag: 'wx' })
    }
  }
  const verdict =
    report.matches === null
      ? ''
      : report.matches
        ? ', the same as the live tables'
        : ', NOT the same as the live tables'
  show(report, `replayed to event ${report.seq}: tree ${report.tree}${verdict}`)
  return report.matches !== false
}

/** How the first page of an export names its card (ports/export-file). */
const EXPORT_SIGN = 'CREATE TABLE about (format INTEGER NOT NULL, card TEXT NOT NULL)'
const FIRST_PAGE_BYTES = 4096

/** An older export may be replaced, also one that was broken off; any other file of that name belongs to somebody. */
function isFree(file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false })
  if (there === undefined) return true
  if (!there.isFile() || there.size === 0) return there.isFile()
  const page = Buffer.alloc(FIRST_PAGE_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, page, 0, FIRST_PAGE_BYTES, 0)
  } finally {
    closeSync(handle)
  }
  return page.toString('latin1').startsWith('SQLite format 3') && page.includes(EXPORT_SIGN)
}

function makeEmptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0)
    throw new ChoirError('request.invalid', `${folder} is not empty; replay writes only into an empty folder`)
}

function fsync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
