import { ReceiptRead } from '@choiros/contract/events/runs.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { type TreePath } from '@choiros/contract/path.ts'
import type { LookRequest, Seen } from '@choiros/contract/look.ts'
import type { SyscallInput, SyscallOutput } from '@choiros/contract/syscalls.ts'
import { toText } from '@choiros/core/merge/merge.ts'
import { applyChanges } from '@choiros/core/tree.ts'
import { agentDraft } from '../computer/drafts.ts'
import { lookAt } from './look.ts'
import type { RunAtWork, RunTools } from './run.ts'

const PATHS_TOLD_MAX = 20

/** Texts of files for a Director, which has none. Each time leaves a receipt. */
export async function readTree(
  { computer }: Pick<RunTools, 'computer'>,
  work: RunAtWork,
  { at, paths }: Omit<SyscallInput<'tree.read'>, 'run'>,
): Promise<SyscallOutput<'tree.read'>> {
  if (++work.counts.reads > LIMITS.readsPerRunMax)
    throw new ChoirError('syscall.refused', `a run may read files at most ${LIMITS.readsPerRunMax} times`)
  work.policy.mayRead()
  const tree = at === 'base' ? work.base.tree : applyChanges(work.base.tree, work.staged.changes)
  let room: number = LIMITS.readBytesMax
  const files: SyscallOutput<'tree.read'>['files'] = []
  for (const path of paths) {
    const entry = tree.get(path as TreePath)
    const isRead = entry?.kind === 'file' && entry.size <= Math.min(LIMITS.readFileBytesMax, room)
    const bytes = isRead
      ? (work.staged.objects.get(entry.object)?.bytes ?? (await computer.objects.find(entry.object)))
      : null
    room -= bytes?.length ?? 0
    files.push({ path, text: bytes === null ? null : toText(bytes) })
  }
  const data = {
    paths: paths.slice(0, PATHS_TOLD_MAX),
    files: paths.length,
    bytes: LIMITS.readBytesMax - room,
  }
  await computer.append(() => ({ draft: agentDraft(computer, work.run, ReceiptRead, data) }))
  return { files }
}

/** Whoever judges what was made may open it, and click through it. */
export async function lookForReview(tools: RunTools, work: RunAtWork, look: LookRequest): Promise<Seen> {
  if (++work.counts.looks > LIMITS.looksPerRunMax)
    throw new ChoirError('request.invalid', `a run is looked at at most ${LIMITS.looksPerRunMax} times`)
  work.policy.mayRead()
  const tree = applyChanges(work.base.tree, work.staged.changes)
  const at = { tree, objects: work.staged.objects, name: `eyes-${work.run}` }
  return lookAt(tools, at, look, work.signal)
}
