import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Erase } from '@choiros/contract/events/files.ts'
import { Fork } from '@choiros/contract/events/points.ts'
import type { Change } from '@choiros/contract/change.ts'
import type { ComputerView } from '@choiros/contract/commands/computers.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerId, ComputerName, Hash, NO_HASH, Seq } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { objectsOf } from '@choiros/core/facts.ts'
import { applyChanges, hashTree } from '@choiros/core/tree.ts'
import type { ExportReader, ExportWriter } from '@choiros/ports/export-file/export-file.ts'
import type { EventLog, Head } from '@choiros/ports/event-log/event-log.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import type { ComputerIdentity } from '../computer/machine.ts'
import { PLACES } from '../computer/places.ts'
import { sealProposal, type Proposal } from '../computer/seal.ts'
import { writingLog } from '../computer/using-log.ts'
import { copyHistory, type Copied, type HistorySource } from '../history/copy.ts'
import { readFacts, type StoredFact } from '../history/facts.ts'
import { hasValidSignature, SignedHead } from '../signing/signing.ts'
import { openState, type State } from '../state/state.ts'
import { userDraft, type ComputerCommand, type ComputerContext, type Context } from './context.ts'
import { checkPoint } from '../computer/past.ts'

/** With more lost objects than this, an import is not worth it. */
export const LOST_MAX = 100_000

/** `lost`: objects that a rescue could not read. */
const ExportCard = z.strictObject({
  computer: ComputerId,
  name: ComputerName,
  head: SignedHead,
  lost: z.array(Hash).max(LOST_MAX).optional(),
})
export type ExportCard = z.infer<typeof ExportCard>

const OBJECTS_BYTES_MAX = 32 * 1024 * 1024

/** A new computer from any point: it has the whole history up to there, and its own from then on. */
export const fork: ComputerCommand<'fork'> = async (context, { name, at }) => {
  const { computer } = context
  checkPoint(computer, at)
  const to = at ?? computer.head().seq
  const source: HistorySource = {
    read: (from) => computer.log.read(from),
    object: computer.objects.find,
    // Where it was erased after the point, the copy has the hole without the event that made it.
    isLost: (hash) => computer.queries.isErased(hash),
    events: to,
  }
  return adopt(context, name, 'fork', source, to)
}

async function adopt(
  context: Context,
  name: ComputerName,
  how: 'fork' | 'import',
  source: HistorySource,
  to: number,
  expected?: { seq: number; hash: Hash; computer: ComputerId },
): Promise<ComputerView> {
  const { home, machine, user } = context
  return home.create(user, name, (folder, identity) =>
    writingLog(machine, { folder, id: identity.id }, async (log) => {
      mkdirSync(join(folder, PLACES.snapshots), { recursive: true })
      const state = openState(join(folder, PLACES.state))
      try {
        const copied = await copyHistory(
          source,
          { log, state, reached: machine.reached, progress: context.progress },
          to,
        )
        if (
          expected !== undefined &&
          (copied.seq !== expected.seq || copied.hash !== expected.hash || copied.computer !== expected.computer)
        ) {
          throw new ChoirError(
            'import.corrupt',
            `the file ends at event ${copied.seq}, but another end was signed (event ${expected.seq}): part of it is missing or not its own. Nothing was changed.`,
          )
        }
        await appendOwn(context, identity, how, { log, state }, copied)
        machine.reached('import.fork.after')
      } finally {
        state.close()
      }
    }),
  )
}

/** The copy's first events of its own: where it comes from, and which of its objects are lost. */
async function appendOwn(
  context: Context,
  identity: ComputerIdentity,
  how: 'fork' | 'import',
  { log, state }: { readonly log: EventLog; readonly state: State },
  copied: Copied,
): Promise<void> {
  const { machine } = context
  let head: Head = copied
  const append = async (proposal: Proposal) => {
    const { stored, objects } = sealProposal(proposal, head, { ...machine, computer: identity.id })
    await log.append([stored], objects, head.seq)
    head = { seq: stored.seq, hash: stored.hash }
  }
  const origin = { computer: ComputerId.parse(copied.computer), seq: Seq.parse(copied.seq), hash: copied.hash }
  await append({ draft: userDraft(context, Fork, { name: identity.name, how, origin }) })
  const entries = state.queries.allEntries()
  let tree = new Map(entries)
  for (let start = 0; start < copied.lost.length; start += LIMITS.erasedInlineMax) {
    const lost = new Set(copied.lost.slice(start, start + LIMITS.erasedInlineMax))
    const changes = [...tree]
      .filter(([, { object }]) => object !== null && lost.has(object))
      .map(([path, entry]): Change => ({ path, from: entry, to: null, movedFrom: null }))
    tree = applyChanges(tree, changes)
    const data = { why: 'content', tree: hashTree(tree), reason: `lost before the ${how}` } as const
    await append({ draft: userDraft(context, Erase, data), changes, erased: [...lost] })
  }
}

/** Writes the whole computer into one file; the caller streams it out and removes it. */
export async function buildExport(
  { computer, home, machine, progress }: Omit<ComputerContext, 'session'>,
  createFile: (file: string) => ExportWriter,
): Promise<string> {
  const takes = computer.totals()
  home.checkRoom(takes.bytes + takes.versions + takes.history)
  const file = home.temporaryFile('export')
  machine.reached('export.build.before')
  const signed = computer.signHead()
  const writer = createFile(`${file}.partial`)
  try {
    const find = async (hash: Hash, seq: number) => {
      const bytes = await computer.objects.find(hash)
      if (bytes === null && !computer.queries.isErased(hash))
        throw new ChoirError('object.missing', `object ${hash} of event ${seq} is missing; "verify" shows what else is`)
      return bytes
    }
    for await (const facts of readFacts(computer.log, computer.objects.get, { seq: 0, hash: NO_HASH }, signed.seq)) {
      await addPage(writer, facts, find)
      progress('exporting', facts.at(-1)?.event.seq ?? 0, signed.seq)
    }
    // As the person knows it: their first computer is named by an id of theirs.
    const known = (await home.list(computer.user)).find(({ id }) => id === computer.id)
    writer.finish({ computer: computer.id, name: known?.name ?? computer.name, head: signed } satisfies ExportCard)
  } catch (error) {
    writer.abandon()
    throw error
  }
  renameSync(`${file}.partial`, file)
  machine.reached('export.build.after')
  return file
}

/** Adds events with every object they name, a bounded amount of bytes at a time. */
export async function addPage(
  writer: ExportWriter,
  facts: readonly StoredFact[],
  find: (hash: Hash, seq: number) => Promise<Buffer | null>,
): Promise<void> {
  let objects: ObjectBytes[] = []
  let bytesGathered = 0
  for (const { event, changes } of facts) {
    for (const hash of objectsOf(event, changes)) {
      const bytes = await find(hash, event.seq)
      if (bytes === null) continue
      objects.push({ hash, bytes })
      bytesGathered += bytes.length
      if (bytesGathered <= OBJECTS_BYTES_MAX) continue
      writer.add([], objects)
      objects = []
      bytesGathered = 0
    }
  }
  writer.add(
    facts.map((fact) => fact.stored),
    objects,
  )
}

/** Makes a new computer of a file from anywhere, or refuses the whole file. */
export async function importFile(
  context: Context,
  file: string,
  name: ComputerName | null,
  openFile: (file: string) => ExportReader,
): Promise<ComputerView> {
  context.machine.reached('import.receive.after')
  try {
    const reader = openFile(file)
    try {
      const card = ExportCard.safeParse(reader.card)
      if (!card.success || card.data.head.computer !== card.data.computer || !hasValidSignature(card.data.head)) {
        throw new ChoirError(
          'import.corrupt',
          'the file cannot be imported: its signature does not hold. Nothing was changed.',
        )
      }
      const { head } = card.data
      const lost = new Set<string>(card.data.lost)
      const source: HistorySource = {
        read: reader.read,
        object: reader.object,
        isLost: (hash) => lost.has(hash),
        events: reader.events,
      }
      return await adopt(context, name ?? card.data.name, 'import', source, Number.MAX_SAFE_INTEGER, head)
    } finally {
      reader.close()
    }
  } finally {
    rmSync(file, { force: true })
  }
}
