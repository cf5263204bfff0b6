import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Fork } from '@choiros/contract/catalog.ts'
import type { ComputerView } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent, sealEvent } from '@choiros/contract/event.ts'
import { ComputerId, ComputerName, NO_HASH, type Hash, type Seq } from '@choiros/contract/ids.ts'
import { objectsOf } from '@choiros/core/facts.ts'
import type { ExportReader, ExportWriter } from '@choiros/ports/export-file/export-file.ts'
import type { SmallObject } from '@choiros/ports/event-log/event-log.ts'
import { PLACES, type Computer, type ComputerIdentity } from '../computer/computer.ts'
import { copyHistory, type HistorySource } from '../history/copy.ts'
import { readFacts } from '../history/facts.ts'
import { hasValidSignature, SignedHead } from '../home/signing.ts'
import { openState } from '../state/state.ts'
import { viaOf, type ComputerCommand, type ComputerContext, type Context } from './context.ts'
import { checkPoint } from './files.ts'

const ExportCard = z.strictObject({ computer: ComputerId, name: ComputerName, head: SignedHead })

const OBJECTS_BYTES_MAX = 32 * 1024 * 1024

/** A new computer from any point: it has the whole history up to there, and its own from then on. */
export const fork: ComputerCommand<'fork'> = async (context, { name, at }) => {
  const { computer } = context
  checkPoint(computer, at)
  const to = at ?? computer.writer.head().seq
  return adopt(context, name, 'fork', { read: (from) => computer.log.read(from), object: computer.objects.find, events: to }, to)
}

async function adopt(
  context: Context,
  name: ComputerName,
  how: 'fork' | 'import',
  source: HistorySource,
  to: number,
  expected?: { seq: number; hash: Hash },
): Promise<ComputerView> {
  const { home, machine, user } = context
  return home.create(user, name, async (folder, identity) => {
    const log = machine.openLog({ file: join(folder, PLACES.log), computer: identity.id, reached: () => {} })
    mkdirSync(join(folder, PLACES.snapshots), { recursive: true })
    const large = await machine.openObjects({ folder: join(folder, PLACES.objects), reached: () => {} })
    const state = openState(join(folder, PLACES.state))
    try {
      const head = await copyHistory(source, { log, large, state, reached: machine.reached, progress: context.progress }, to)
      if (expected !== undefined && (head.seq !== expected.seq || head.hash !== expected.hash)) {
        throw new ChoirError(
          'import.corrupt',
          `the file ends at event ${head.seq}, but it was signed at event ${expected.seq}: part of it is missing. Nothing was changed.`,
        )
      }
      await appendFork(context, identity, how, log, head)
      machine.reached('import.fork.after')
    } finally {
      state.close()
      await large.close()
      await log.close()
    }
  })
}

async function appendFork(
  { machine, user, caller }: Context,
  identity: ComputerIdentity,
  how: 'fork' | 'import',
  log: Computer['log'],
  head: { seq: number; hash: Hash },
): Promise<void> {
  const [last] = await log.read({ after: head.seq - 1, limit: 1 })
  if (last === undefined) throw new ChoirError('import.corrupt', 'the history has no end. Nothing was changed.')
  const time = machine.now()
  const { stored } = sealEvent(
    {
      type: Fork.type,
      version: Fork.version,
      data: { name: identity.name, how, origin: { computer: readEvent(last).computer, seq: head.seq, hash: head.hash } },
      user,
      source: 'user',
      via: viaOf(caller),
      run: null,
      cause: null,
    },
    { id: machine.newEventId(time), computer: identity.id, seq: (head.seq + 1) as Seq, time, prev: head.hash },
  )
  await log.append([stored], [], head.seq)
}

/** Writes the whole computer into one file; the caller streams it out and removes it. */
export async function buildExport(
  { computer, home, machine, progress }: ComputerContext,
  createFile: (file: string) => ExportWriter,
): Promise<string> {
  const file = home.temporaryFile('export')
  machine.reached('export.build.before')
  const signed = computer.signHead()
  const writer = createFile(`${file}.partial`)
  try {
    for await (const facts of readFacts(computer.log, computer.objects.get, { seq: 0, hash: NO_HASH }, signed.seq)) {
      let objects: SmallObject[] = []
      let bytesGathered = 0
      for (const fact of facts) {
        for (const hash of objectsOf(fact.event, fact.changes)) {
          const bytes = await computer.objects.find(hash)
          if (bytes === null) {
            if (!computer.state.queries.isErased(hash))
              throw new ChoirError('object.missing', `object ${hash} of event ${fact.event.seq} is missing; "verify" shows what else is`)
            continue
          }
          objects.push({ hash, bytes })
          bytesGathered += bytes.length
          if (bytesGathered > OBJECTS_BYTES_MAX) {
            writer.add([], objects)
            objects = []
            bytesGathered = 0
          }
        }
      }
      writer.add(
        facts.map((fact) => fact.stored),
        objects,
      )
      progress('exporting', facts.at(-1)?.event.seq ?? 0, signed.seq)
    }
    writer.finish({ computer: computer.id, name: computer.name, head: signed } satisfies z.infer<typeof ExportCard>)
  } catch (error) {
    writer.abandon()
    throw error
  }
  renameSync(`${file}.partial`, file)
  machine.reached('export.build.after')
  return file
}

/** Takes over a file from anywhere as a new computer, or refuses all of it. */
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
      if (!card.success || !hasValidSignature(card.data.head)) {
        throw new ChoirError('import.corrupt', 'the file cannot be imported: its signature does not hold. Nothing was changed.')
      }
      const { head } = card.data
      const source: HistorySource = { read: reader.read, object: reader.object, events: reader.events }
      return await adopt(context, name ?? card.data.name, 'import', source, Number.MAX_SAFE_INTEGER, head)
    } finally {
      reader.close()
    }
  } finally {
    rmSync(file, { force: true })
  }
}
