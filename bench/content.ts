import type { Entry } from '@choiros/contract/change.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { Random } from './random.ts'

const WORDS =
  'window tree frame paint click store event clock panel theme note draft music photo mail search graph table form query'.split(
    ' ',
  )
const CORPUS = Array.from(
  { length: 400 },
  (_, line) => `  const ${word(line)} = ${word(line * 7)}(${line}, '${word(line * 13)}')`,
).join('\n')

export function word(index: number): string {
  return WORDS[index % WORDS.length] as string
}

/** Forty files to a folder, half of them code and half the person's own. */
export function pathOf(number: number): TreePath {
  const folder = Math.floor(number / 40)
  const place = folder % 2 === 0 ? `app/src/${word(folder)}-${folder}` : `artifacts/${word(folder)}/${folder}`
  return `${place}/${word(number * 3)}-${number}.${folder % 2 === 0 ? 'ts' : 'md'}` as TreePath
}

/** Text of 100 bytes to 4 KiB, most of it short, that no other version of any file has. */
export function makeText(random: Random, path: string, version: number): Buffer {
  const length = Math.floor(100 * 41 ** (random.whole(1000) / 1000))
  const from = random.whole(CORPUS.length - length)
  return Buffer.from(`// ${path} ${version}\n${CORPUS.slice(from, from + length)}\n`)
}

export function fileEntry(bytes: Buffer, mode: '644' | '755' = '644'): { entry: Entry; object: ObjectBytes } {
  const hash = sha256(bytes)
  return { entry: { kind: 'file', mode, object: hash, size: bytes.length }, object: { hash, bytes } }
}
