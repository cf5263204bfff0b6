import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ComputerView } from '@choiros/contract/commands/computers.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import { ChoirError, DAMAGE } from '@choiros/contract/error.ts'
import { ComputerId, type ComputerName, labelFrom, UserId } from '@choiros/contract/ids.ts'
import type { Progress } from '@choiros/contract/routes.ts'
import { GATEWAY_TOKEN_NAME, TOKEN_NAME } from '@choiros/contract/home-folder.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import type { ComputerIdentity, Machine } from '../computer/machine.ts'
import { removeTables, type OpenOptions } from '../computer/open-computer.ts'
import { checkRoom, DISK_RESERVE_BYTES, roomAt } from '../computer/room.ts'
import { writingLog } from '../computer/using-log.ts'
import type { ComputerSession } from '../session/session.ts'
import { firstEvent } from '../computer/base.ts'
import { readCards, recoverCards, writeCard, type Card } from './cards.ts'
import { chooseComputer, shownName } from './computer-names.ts'
import { fsyncPath, writeDurably, writeIfPossible } from '../signing/durable-file.ts'
import { openHeadRecord, type HeadRecord } from '../signing/head-record.ts'

/** The folder that holds a person's computers. Every question about a computer names its user as well (L10). */
export interface Home {
  readonly folder: string
  readonly owner: UserId
  readonly token: string
  readonly gatewayToken: string
  /** The first one first, the others by name. */
  list(user: UserId): Promise<ComputerView[]>
  /**
   * By name or id; null means the user's first computer. Callers that ask for a computer while it is being opened all
   * wait for the same opening (L13).
   */
  open(user: UserId, computer: string | null, progress?: Progress): Promise<ComputerSession>
  /** Where a computer is, whether it opens or not. */
  locate(
    user: UserId,
    computer: string | null,
  ): Promise<{ identity: ComputerIdentity; folder: string; record: HeadRecord }>
  /**
   * Makes the tables of a computer again from its log: the session ends, as after a crash, and another one begins.
   * Whoever asks for it meanwhile waits, and whoever found the same damage joins.
   */
  remake(damaged: ComputerSession): Promise<ComputerSession>
  add(user: UserId, name: ComputerName): Promise<ComputerView>
  /** Makes a computer out of a folder that `fill` writes. It exists only once the folder is complete. */
  create(
    user: UserId,
    name: ComputerName,
    fill: (folder: string, identity: ComputerIdentity) => Promise<void>,
  ): Promise<ComputerView>
  temporaryFile(purpose: string): string
  /** Throws `disk.full` if so many bytes in temporary files would use up what is kept free for the computers. */
  checkRoom(bytes: number): void
  close(): Promise<void>
}

const NEW = '.new-'

export function prepareHomeFolder(folder: string): void {
  try {
    makeFolders(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    mkdirSync(join(folder, 'computers'), { recursive: true, mode: 0o700 })
    mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new ChoirError(
      'home.unusable',
      `the home ${folder} cannot be written: choose another with --home, or make it writable`,
      { cause },
    )
  }
}

/** Folder by folder: Node's recursive mkdir never returns where a folder exists but allows none inside, as in /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Opens one of the home's computers. */
export type OpenSession = (folder: string, identity: ComputerIdentity, options: OpenOptions) => Promise<ComputerSession>

export function openHome(folder: string, machine: Machine, openSession: OpenSession): Home {
  const computers = join(folder, 'computers')
  const temporary = join(folder, 'tmp')
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { mode: 0o700 })
  // A computer that was still being made at a crash never existed.
  for (const name of readdirSync(computers))
    if (name.startsWith(NEW)) rmSync(join(computers, name), { recursive: true, force: true })
  const token = readToken(join(folder, TOKEN_NAME), machine)
  const gatewayToken = readToken(join(folder, 'keys', GATEWAY_TOKEN_NAME), machine)
  const cards = new Map<ComputerId, Card>()
  const ownedBy = (user: UserId) => [...cards.values()].filter((card) => card.user === user)
  const unreadable = readCards(computers, cards, machine)
  const owner = readOwner(join(folder, 'owner'), [...new Set([...cards.values()].map(({ user }) => user))], machine)
  const recovered = recoverCards(computers, unreadable, cards, machine)
  const opened = new Map<ComputerId, Promise<ComputerSession>>()
  /** Those of them that are open by now. */
  const sessions = new Map<ComputerId, ComputerSession>()
  const problems = new Map<ComputerId, Error>()
  let closing = false
  const heads = join(folder, 'heads')
  mkdirSync(heads, { recursive: true, mode: 0o700 })
  const recordOf = (id: ComputerId) => openHeadRecord(join(heads, id), id, machine.signer)

  const openById = (card: ComputerIdentity, progress?: Progress): Promise<ComputerSession> => {
    if (closing)
      return Promise.reject(new ChoirError('supervisor.stopping', 'ChoirOS is stopping; try again when it is back'))
    const known = opened.get(card.id)
    if (known !== undefined) return known
    return remember(card, openSession(join(computers, card.id), card, { progress, record: recordOf(card.id) }))
  }

  const remember = (card: ComputerIdentity, opening: Promise<ComputerSession>): Promise<ComputerSession> => {
    opened.set(card.id, opening)
    opening.then(
      (session) => {
        problems.delete(card.id)
        sessions.set(card.id, session)
        session.computer.lost.addEventListener('abort', () => void leave(card.id, session), { once: true })
      },
      (error: unknown) => {
        opened.delete(card.id)
        problems.set(card.id, error instanceof Error ? error : new Error(String(error)))
      },
    )
    return opening
  }

  /** Somebody else writes it by now. The next caller is told so, or takes it back. */
  const leave = async (id: ComputerId, session: ComputerSession): Promise<void> => {
    if (sessions.get(id) !== session) return
    sessions.delete(id)
    opened.delete(id)
    await end(session)
  }

  const end = (session: ComputerSession): Promise<void> =>
    session.close().catch((error: unknown) => machine.warn(`${session.identity.name} did not close well`, error))

  /** Of what is known now: one that is being opened, which may take minutes, keeps nobody waiting. */
  const view = (card: Card): ComputerView => {
    const problem = problems.get(card.id) ?? null
    const computer = sessions.get(card.id)?.computer
    const isDamaged = problem instanceof ChoirError && DAMAGE.has(problem.code)
    return {
      id: card.id,
      user: card.user,
      name: shownName(card, ownedBy(card.user)),
      state: isDamaged ? 'damaged' : computer !== undefined ? 'open' : opened.has(card.id) ? 'opening' : 'closed',
      head: computer?.head() ?? null,
      problem: problem?.message ?? computer?.problem() ?? null,
    }
  }

  const home: Home = {
    folder,
    owner,
    token,
    gatewayToken,
    async list(user) {
      await recovered
      const own = ownedBy(user).sort((a, b) => (a.name < b.name ? -1 : 1))
      if (own.length === 0) return []
      const first = chooseComputer(own, null)
      return [first, ...own.filter((card) => card !== first)].map(view)
    },
    open: async (user, computer, progress) => openById((await home.locate(user, computer)).identity, progress),
    async locate(user, computer) {
      await recovered
      const { id, name } = chooseComputer(ownedBy(user), computer)
      const identity = { id, name, user }
      return { identity, folder: join(computers, identity.id), record: recordOf(identity.id) }
    },
    remake(damaged) {
      const { identity } = damaged
      if (sessions.get(identity.id) !== damaged) return openById(identity)
      const place = join(computers, identity.id)
      sessions.delete(identity.id)
      const remade = end(damaged).then(() => {
        removeTables(place)
        return openSession(place, identity, { record: recordOf(identity.id) })
      })
      return remember(identity, remade)
    },
    add: (user, name) => home.create(user, name, (place, identity) => installBase(place, identity, machine)),
    async create(user, name, fill) {
      // Also an id: a name that is one would lead to another computer than it says.
      const isTaken = () =>
        ownedBy(user).some((card) => [card.id, card.name, shownName(card, ownedBy(user))].includes(name))
      const refuseTaken = () => {
        if (isTaken())
          throw new ChoirError('computer.exists', `there is already a computer called ${name}; choose another name`)
      }
      await recovered
      refuseTaken()
      const identity: ComputerIdentity = { id: ComputerId.parse(labelFrom(machine.randomBytes(16))), name, user }
      const making = join(computers, `${NEW}${identity.id}`)
      machine.reached('computer.create.before')
      try {
        mkdirSync(making, { mode: 0o700 })
        await fill(making, identity)
        const card: Card = { ...identity, madeMs: machine.now() }
        writeCard(making, card)
        refuseTaken()
        machine.reached('computer.create.rename')
        renameSync(making, join(computers, identity.id))
        cards.set(identity.id, card)
        fsyncPath(computers)
        machine.reached('computer.create.after')
        return view(card)
      } catch (error) {
        rmSync(making, { recursive: true, force: true })
        throw toStorageError(error, 'making the computer')
      }
    },
    checkRoom: (bytes) => checkRoom(roomAt(temporary).bytes, bytes, DISK_RESERVE_BYTES),
    temporaryFile: (purpose) => join(temporary, `${purpose}-${labelFrom(machine.randomBytes(16))}`),
    async close() {
      closing = true
      // One that does not close well keeps no other from it.
      for (const opening of opened.values()) await opening.then(end, () => {})
    },
  }
  return home
}

async function installBase(folder: string, { id, ...identity }: ComputerIdentity, machine: Machine): Promise<void> {
  const { stored, objects } = firstEvent({ id, ...identity }, machine)
  await writingLog(machine, { folder, id }, async (log) => log.append([stored], objects, 0))
}

/**
 * The owner's id, with a sum behind it: an id with one flipped bit is an id too, whose computers would seem to be gone.
 * Of a damaged file one half still tells which of the `known` users it is. A file of an older release gets its sum
 * here.
 */
function readOwner(file: string, known: readonly UserId[], machine: Machine): UserId {
  const lines = (owner: string) => `${owner}\n${sha256(owner)}\n`
  if (!existsSync(file)) writeDurably(file, lines(labelFrom(machine.randomBytes(16))), 0o600)
  const text = readFileSync(file, 'utf8')
  const first = UserId.safeParse(text.trim().split('\n')[0])
  if (first.success && text === lines(first.data)) return first.data
  const isOlder = first.success && text.trim() === first.data
  const owner = isOlder ? first.data : known.find((user) => text.includes(user) || text.includes(sha256(user)))
  if (owner !== undefined) {
    writeIfPossible(() => writeDurably(file, lines(owner), 0o600), machine.warn)
    return owner
  }
  throw new ChoirError(
    'home.unusable',
    `the file ${file} is damaged: it must hold the id of this home's owner. Each computers/*/computer.json names its user.`,
  )
}

const TOKEN = /^[\w-]{43}$/

/**
 * A token in a file. Who can read the file may act: with the home's own token for the owner, with the gateway's as the
 * front door.
 */
function readToken(file: string, machine: Machine): string {
  const isWhole = existsSync(file) && TOKEN.test(readFileSync(file, 'utf8'))
  if (!isWhole) writeDurably(file, Buffer.from(machine.randomBytes(32)).toString('base64url'), 0o600)
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
}
