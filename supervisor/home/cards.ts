import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BaseInstall } from '@choiros/contract/events/files.ts'
import { Fork } from '@choiros/contract/events/points.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { readEvent } from '@choiros/contract/event.ts'
import { ComputerId, ComputerName, Hash, UserId } from '@choiros/contract/ids.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { ComputerIdentity, Machine } from '../computer/machine.ts'
import { PLACES } from '../computer/places.ts'
import { readingLog } from '../computer/using-log.ts'
import { writeDurably, writeIfPossible } from '../signing/durable-file.ts'

/**
 * `madeMs` tells which of a person's computers is the first; `sum` vouches for the rest, for a name or an owner with
 * one flipped bit is a name or an owner too. Cards of older releases lack them; the time of their file is taken.
 */
const Card = z.strictObject({
  id: ComputerId,
  name: ComputerName,
  user: UserId,
  madeMs: z.number().optional(),
  sum: Hash.optional(),
})
export type Card = ComputerIdentity & { readonly madeMs: number }
const CARD = 'computer.json'

export function writeCard(folder: string, { id, name, user, madeMs }: Card): void {
  const card = { id, name, user, madeMs }
  writeDurably(join(folder, CARD), JSON.stringify({ ...card, sum: sha256(JSON.stringify(card)) }), 0o600)
}

/**
 * Reads who owns which computer into `cards`. Returns the computers whose card is gone or damaged. A card of an older
 * release is written again with its sum.
 */
export function readCards(
  computers: string,
  cards: Map<ComputerId, Card>,
  { warn }: Pick<Machine, 'warn'>,
): ComputerId[] {
  const damaged: ComputerId[] = []
  for (const name of readdirSync(computers).sort()) {
    const id = ComputerId.safeParse(name)
    if (!id.success) continue
    const folder = join(computers, name)
    const read = readCard(join(folder, CARD))
    if (read?.card.id === id.data) {
      cards.set(id.data, read.card)
      if (!read.hasSum) writeIfPossible(() => writeCard(folder, read.card), warn)
    } else if (existsSync(join(folder, PLACES.log))) damaged.push(id.data)
  }
  return damaged
}

function readCard(file: string): { card: Card; hasSum: boolean } | null {
  try {
    const { sum, ...written } = Card.parse(JSON.parse(readFileSync(file, 'utf8')))
    if (sum !== undefined && sum !== sha256(JSON.stringify(written))) return null
    const { madeMs = statSync(file).mtimeMs, ...identity } = written
    return { card: { ...identity, madeMs }, hasSum: sum !== undefined }
  } catch {
    return null
  }
}

/** Makes damaged cards again from the logs: one damaged byte must not hide a computer from its owner. */
export async function recoverCards(
  computers: string,
  damaged: readonly ComputerId[],
  cards: Map<ComputerId, Card>,
  machine: Machine,
): Promise<void> {
  for (const id of damaged) {
    const folder = join(computers, id)
    try {
      const card = await cardFromLog(folder, id, machine)
      cards.set(id, card)
      writeCard(folder, card)
    } catch (error) {
      machine.warn(`the computer in ${folder} cannot be shown: its card and its log are damaged`, error)
    }
  }
}

function cardFromLog(folder: string, id: ComputerId, machine: Machine): Promise<Card> {
  return readingLog(machine, { folder, id }, async (log) => {
    for (let after = 0; ;) {
      const page = await log.read({ after, limit: LIMITS.eventsPageMax })
      for (const stored of page) {
        const { type, computer, user, data, time } = readEvent(stored)
        if (computer === id && (type === BaseInstall.type || type === Fork.type))
          return { ...Card.parse({ id, user, name: data.name }), madeMs: time }
      }
      after = page.at(-1)?.seq ?? after
      if (page.length === 0) throw new ChoirError('log.corrupt', `the log of ${id} does not say whose it is`)
    }
  })
}
