import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/**
 * Prints the given scripts as JavaScript, as one JSON list. A program of its own, because what strips types holds
 * 17 MiB for as long as its process lives.
 */
const files = JSON.parse(readFileSync(0, 'utf8')) as string[]
process.stdout.write(JSON.stringify(files.map((file) => stripTypeScriptTypes(readFileSync(file, 'utf8')))))
