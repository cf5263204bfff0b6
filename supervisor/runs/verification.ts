import { ReceiptVerifier } from '@choiros/contract/events/runs.ts'
import { canonicalBytes, sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { RunId } from '@choiros/contract/ids.ts'
import { comparePaths } from '@choiros/contract/path.ts'
import { VerifierReport } from '@choiros/contract/syscalls.ts'
import {
  problemWords,
  readVerdict,
  takePictures,
  touchedArgument,
  type VerifierMeans,
} from '@choiros/contract/verdict.ts'
import { hashSeen } from '@choiros/core/landing.ts'
import { readTreeMap, type TreeMap } from '@choiros/core/tree.ts'
import {
  isSelfReported,
  plannedVerifiers,
  requiredVerifiers,
  testsBeside,
  VERIFIED_FOLDER,
  type VerifierName,
} from '@choiros/core/verifier-plan.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { ExecResult, SandboxHost, SandboxSpec } from '@choiros/ports/sandbox/sandbox.ts'
import type { Computer } from '../computer/computer.ts'
import type { Machine } from '../computer/machine.ts'
import type { Landing } from '../computer/landing.ts'
import { agentDraft } from '../computer/drafts.ts'
import { keepPictures, PICTURES_OUTPUT_BYTES_MAX } from './pictures.ts'
import type { Staged } from './stage.ts'
import type { Trees } from '../tree/trees.ts'

/** A tree to which every verifier that it needed said yes. */
export type Verified = Landing['verified'] & { readonly reports: readonly VerifierReport[] }

export interface VerificationOptions {
  readonly computer: Computer
  readonly machine: Machine
  readonly host: SandboxHost
  readonly trees: Trees
  /** The folder with the packages that the desktop may import. */
  readonly packages: string
  readonly run: RunId
  readonly signal: AbortSignal
  /** Whether it is rendered, too. */
  readonly render: boolean
  /** The browser in which that is done; null: without one. */
  readonly browser: string | null
}

/** A Node that executes nothing but the toolchain: no file of the tree, whatever a tool may find there. */
export const ONLY_TOOLCHAIN = ['/opt/choir/node', '--import=/opt/choir/toolchain/only-toolchain.mjs']
const WALL_CLOCK_MS = 60_000
const OUTPUT_BYTES_MAX = 2 * 1024 * 1024 + PICTURES_OUTPUT_BYTES_MAX
const PROBLEMS_MAX = 50

/**
 * Shows a tree to the verifiers that the changes call for, each alone in a sandbox without agent, network or socket,
 * and writes down what they said. They see a copy that no stage can change; its attestation is signed by this home.
 */
export async function verifyTree(
  { computer, machine, host, trees, packages, run, signal, render, browser }: VerificationOptions,
  tree: TreeMap,
  { changes, objects }: Staged,
): Promise<{ ok: true; verified: Verified } | { ok: false; reports: VerifierReport[] }> {
  const { hash, folder } = await trees.materialise(tree, objects)
  machine.reached('run.verify.before')
  const touched = changes.filter(({ to }) => to !== null).map(({ path }) => path)
  const tests = testsBeside(changes, tree.keys())
  const check = async (verifier: VerifierName) => {
    const startMs = machine.now()
    const answer = await host.runOnce(
      verifierSpec(`verifier-${verifier}-${run}`, folder, packages),
      {
        command: [
          ...ONLY_TOOLCHAIN,
          `/opt/choir/verify/${verifier}.mjs`,
          ...touchedArgument(verifier === 'test' ? tests : touched),
        ],
        cwd: '/tree',
        environment: verifier === 'render' && browser !== null ? { CHOIR_BROWSER: browser } : {},
        wallClockMs: WALL_CLOCK_MS,
        outputBytesMax: OUTPUT_BYTES_MAX,
      },
      signal,
    )
    signal.throwIfAborted()
    const { pictures, rest } = takePictures(answer.output.toString('utf8'))
    const { report, means } = toReport(verifier, answer, rest)
    const bytes = Buffer.from(rest)
    const raw: ObjectBytes = { hash: sha256(bytes), bytes }
    const data = {
      tree: hash,
      verifier,
      ok: report.ok,
      summary: report.summary,
      tookMs: Math.max(0, machine.now() - startMs),
      report: raw.hash,
      selfReported: isSelfReported(verifier),
      means,
    }
    await computer.append(() => ({ draft: agentDraft(computer, run, ReceiptVerifier, data, 'system'), objects: [raw] }))
    if (verifier === 'render' && report.ok) await keepPictures(computer, run, 'after', hash, pictures)
    return { report, raw }
  }
  // What does not even compile is not shown to a browser.
  const required = await Promise.all(requiredVerifiers(changes).map(check))
  const rest = plannedVerifiers(changes, { render, tests }).slice(required.length)
  const checks = required.every(({ report }) => report.ok)
    ? [...required, ...(await Promise.all(rest.map(check)))]
    : required
  machine.reached('run.verify.after')
  const reports = checks.map(({ report }) => report)
  if (!reports.every((report) => report.ok)) return { ok: false, reports }
  const statement = {
    computer: computer.id,
    run,
    tree: hash,
    receipts: checks.map(({ report, raw }) => ({
      verifier: report.verifier,
      ok: report.ok,
      report: raw.hash,
      selfReported: isSelfReported(report.verifier as VerifierName),
    })),
  }
  const bytes = canonicalBytes({ ...statement, signature: machine.signer.sign(statement) })
  const inside = [...tree]
    .filter(([path]) => path.startsWith(`${VERIFIED_FOLDER}/`))
    .sort(([a], [b]) => comparePaths(a, b))
  const seen = hashSeen(readTreeMap(new Map(inside)), changesOutside(changes))
  return { ok: true, verified: { tree: hash, seen, attestation: { hash: sha256(bytes), bytes }, reports } }
}

/** All that a verifier's sandbox sees. */
export function verifierSpec(name: string, tree: string, packages: string): SandboxSpec {
  return {
    name,
    role: 'verifier',
    mounts: [
      { host: tree, guest: '/tree' },
      { host: packages, guest: '/node_modules' },
    ],
    scratch: [],
    syscallSocket: null,
  }
}

/** The changes outside of the folder: those inside are already in the tree that `hashSeen` gets. */
function changesOutside(changes: readonly Change[]): Change[] {
  return changes.filter(({ path }) => !path.startsWith(`${VERIFIED_FOLDER}/`))
}

/** A verifier that says nothing sensible has not said yes. */
function toReport(
  verifier: VerifierName,
  { end, exitCode, truncated }: ExecResult,
  output: string,
): { report: VerifierReport; means: VerifierMeans } {
  const said = readVerdict(output)
  // The end of an output that was cut is not its end.
  if (end !== 'exited' || truncated || said === null) {
    const why = end === 'timed-out' ? 'it took too long' : `it stopped: ${output.slice(-300)}`
    return {
      report: { verifier, ok: false, summary: `${verifier} gave no verdict: ${why}`, problems: [] },
      means: isSelfReported(verifier) ? 'node' : 'reading',
    }
  }
  const ok = said.ok && exitCode === 0
  const problems = said.problems
    .slice(0, PROBLEMS_MAX)
    .map((problem) => ({ ...problem, message: problem.message.slice(0, 1000) }))
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const report = VerifierReport.parse({
    verifier,
    ok,
    summary: ok
      ? 'good'
      : first === undefined
        ? `${verifier} said no without a reason`
        : `${problemWords(first)}${more}`,
    problems,
  })
  return { report, means: said.means }
}
