import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lookMs, LookRequest, type LookInput, type Seen } from '@choiros/contract/look.ts'
import type { SandboxHost } from '@choiros/ports/sandbox/sandbox.ts'
import { openTrees } from '../tree/trees.ts'
import { lookAtAll } from './look.ts'

const folder = mkdtempSync(join(tmpdir(), 'choir-look-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SEEN: Seen = { findings: [], outline: 'main', console: [], picture: null, notes: [], stopped: null }

/** The time that a sandbox is given in which all of this is looked at. */
async function givenMs(...requests: LookInput[]): Promise<number> {
  let givenForAllMs = 0
  const output = Buffer.from(requests.map(() => `${JSON.stringify({ seen: SEEN })}\n`).join(''))
  const host: Pick<SandboxHost, 'runOnce'> = {
    async runOnce(_, { wallClockMs }) {
      givenForAllMs = wallClockMs
      return { end: 'exited', exitCode: 0, output, truncated: false }
    },
  }
  const trees = openTrees(join(folder, 'trees'), () => Promise.reject(new Error('an empty tree has no objects')))
  const tools = { host: host as SandboxHost, trees, packages: '/none', browser: '/none' }
  const seen = await lookAtAll(tools, { tree: new Map(), name: 'a' }, requests, new AbortController().signal)
  expect(seen).toEqual(requests.map(() => SEEN))
  return givenForAllMs
}

test('a sandbox is given what all looks in it may take, and what it needs to start', async () => {
  const long = { steps: [...Array.from({ length: 19 }, () => ({ press: 'Tab' })), { wait: 10_000 }] }
  const may = (request: LookInput) => lookMs(LookRequest.parse(request))
  expect(await givenMs(long)).toBeGreaterThan(may(long))
  expect(await givenMs({}, {}, long)).toBeGreaterThan(2 * may({}) + may(long))
})
