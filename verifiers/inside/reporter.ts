import { closeSync, readFileSync, writeSync } from 'node:fs'

/** What a process that executes the tree's code tells the one that started it. */
export type Tell = (line: object) => void

const REPORT = 3
const SECRET = 4
const PIECES_MAX = 1000

/**
 * Takes what it needs before the tree's code runs: that code may replace `JSON.stringify`, but not the one that is used
 * here.
 */
export function openReporter(): Tell {
  const secret = readFileSync(SECRET, 'utf8')
  closeSync(SECRET)
  const write = writeSync
  const stringify = JSON.stringify
  const bytesOf = Buffer.from.bind(Buffer)
  return (line) => {
    let rest = bytesOf(`${secret}${stringify(line)}\n`, 'utf8')
    // A pipe takes what it has room for.
    for (let piece = 0; piece < PIECES_MAX && rest.length > 0; piece++) rest = rest.subarray(write(REPORT, rest))
  }
}
