import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Hash } from '@choiros/contract/ids.ts'
import { sha256Stream } from '@choiros/contract/canonical.ts'
import { REDUCERS, REDUCERS_VERSION } from '@choiros/core/reducers/all.ts'
import type { Fact } from '@choiros/core/reducers/reducer.ts'
import type { Reached } from '../crash-points.ts'
import { bringToDisk, markOf, readMark, writeMark } from './on-disk.ts'
import { TableDamage } from './damage.ts'
import { createBeforeView } from './before-view.ts'
import { chooseQueries, createQueries, type Queries } from './queries.ts'
import { createUnsettled } from './unsettled.ts'
import {
  createIndexes,
  createTables,
  prepareCursor,
  prepareWrites,
  readVersion,
  removeTableFile,
  startReducers,
  type Cursor,
  type Replay,
} from './tables.ts'

/** The tables of one computer. Only reducers write them, in the transaction that moves the cursor (L1). */
export interface State extends Replay {
  replay(facts: readonly Fact[]): void
  /** The present state, committed or not, without a hidden batch. */
  readonly queries: Queries
  /** The same, with what an open batch has applied so far. For decisions. */
  readonly own: Queries
  /**
   * Opens a batch. It must be kept, hidden or taken back before others get a turn: otherwise they would see what may
   * never happen.
   */
  begin(): void
  /** The rows may be written later: with `settle`, or when somebody asks for them. */
  apply(fact: Fact): void
  /** Writes every row that waits. A reducer that fails must do so before the event is in the log. */
  settle(): void
  /** Applies a fact, asks `holds`, and takes the fact back if the answer is no. */
  applyIf(fact: Fact, holds: () => boolean): boolean
  /** Keeps the batch. It is committed together with those that follow, by `commit`. */
  keep(): void
  /** Whether an open batch can be hidden: only where everything before it is committed. */
  canHide(): boolean
  /** Until the work is done, others see the tables as they were before the open batch. */
  hideWhile<Result>(work: Promise<Result>): Promise<Result>
  /** About how many rows wait for a commit. */
  waitingRows(): number
  /** Commits everything that is kept, and an open batch. */
  commit(): void
  /** Takes the open batch back. What was kept before it stays. */
  rollback(): void
  tableHashes(): Record<string, Hash>
  /** Copies the tables as of one moment while work goes on. Returns the cursor of that moment. */
  copyTo(file: string): Promise<Cursor>
  /** Resolves when the file is on disk. */
  onDisk(): Promise<void>
  close(): void
}

export const STATE_TABLES: readonly string[] = REDUCERS.flatMap((reducer) => reducer.tables)

export interface StateOptions {
  readonly reached?: Reached
  /** Given for tables that are kept. */
  readonly bootId?: string
}

/** Opens the tables, or makes empty ones where there are none, or where they were made by other reducers. */
export function openState(file: string, { reached = () => {}, bootId }: StateOptions = {}): State {
  let db = openFile(file)
  const version = readVersion(db)
  if (version !== REDUCERS_VERSION) {
    if (version !== null) {
      db.close()
      removeTableFile(file)
      db = openFile(file)
    }
    db.transaction(() => {
      createTables(db)
      createIndexes(db)
    })()
  }
  const mark = readMark(db)
  if (mark !== 0 && mark !== markOf(bootId ?? '')) {
    db.close()
    throw new TableDamage('the power went before the tables were on disk')
  }
  return createState(db, reached, mark === 0 ? Promise.resolve(false) : bringToDisk(file))
}

/** How many rows may be kept without a commit while the disk refuses them. */
const KEPT_ROWS_MAX = 10_000

/** For each open computer: a hundred of them must fit a machine. */
const CACHE_KIB = 16 * 1024

function openFile(file: string): Database.Database {
  const db = new Database(file)
  // Tables that were just made have another journal mode: the change must not wait for the disk.
  db.pragma('synchronous = OFF')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL') // What a power loss takes from the tables, the log gives back.
  db.pragma(`cache_size = -${CACHE_KIB}`)
  return db
}

/** `broughtToDisk`: once it resolves with true, the mark in the tables is no longer needed. */
function createState(db: Database.Database, reached: Reached, broughtToDisk: Promise<boolean>): State {
  const moveCursor = prepareCursor(db)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const start = () => startReducers((reducer) => prepareWrites(db, reducer))
  let reducers = start()
  let committed = db.prepare('SELECT seq, hash FROM cursor').get() as Cursor
  let cursor = committed
  let batch: Fact[] | null = null
  // Facts that are applied and acknowledged, but not committed: rolling a failed batch back takes their rows as well,
  // so they are applied again.
  let kept: Fact[] = []
  let keptRows = 0
  let isMarkVain = false
  // Another connection, which sees what was last committed; opened when a batch is hidden for the first time.
  const lastCommit = createBeforeView(db.name)
  let isHidden = false
  const onDisk = broughtToDisk
    .then((isVain) => {
      isMarkVain = isVain
      // Inside a transaction the next commit does it: rolling back would bring the mark back.
      if (db.open && !db.inTransaction) unmark()
    })
    .catch(() => {}) // A full disk, for example: the next commit tries it again.

  const unmark = () => {
    if (isMarkVain) writeMark(db, 0)
    isMarkVain = false
  }

  const applyAll = (facts: readonly Fact[]) => {
    for (const fact of facts) applyOne(fact)
    settle()
  }

  const applyOne = (fact: Fact) => {
    try {
      cursor = reducers.apply(fact, cursor)
    } catch (error) {
      reducers = start() // A reducer that failed half-way remembers rows that are rolled back.
      throw error
    }
    unsettled.note(fact)
    if (fact.erased.length > 0) settle() // Erasing an object removes it from `kept`, which `unsettled` cannot express.
  }

  const settle = () => {
    if (unsettled.isEmpty()) return
    unsettled.clear()
    try {
      reducers.settle()
    } catch (error) {
      reducers = start()
      throw error
    }
  }
  const unsettled = createUnsettled(settle)
  const own = createQueries(db, unsettled)

  const open = () => {
    if (!db.inTransaction) begin.run()
  }

  const takeBack = () => {
    batch = null
    cursor = committed
    if (db.inTransaction) rollback.run()
    if (unsettled.isEmpty()) reducers.forget()
    else reducers = start() // They hold rows that must not be written.
    unsettled.clear()
  }

  const commitAll = () => {
    settle()
    // In the same transaction as the rows: after a crash between the two, these events would be applied twice.
    moveCursor(cursor)
    if (isMarkVain) writeMark(db, 0)
    commit.run()
    isMarkVain = false
    committed = cursor
    batch = null
    forgetKept()
  }

  const forgetKept = () => {
    kept = []
    keptRows = 0
  }

  /** Takes the open batch back, and with it everything else that was not committed; what was kept is applied again. */
  const takeBackBatch = () => {
    takeBack()
    if (kept.length === 0) return
    try {
      open()
      applyAll(kept)
    } catch {
      forgetKept() // The tables are late, which is no loss: the cursor says so, and they catch up.
      takeBack()
    }
  }

  const commitKept = () => {
    if (kept.length === 0) return
    reached('state.commit.before')
    try {
      commitAll()
    } catch (error) {
      // On a full disk they stay in memory, as long as they are few.
      if (keptRows > KEPT_ROWS_MAX) forgetKept()
      takeBackBatch()
      throw error
    }
    reached('state.commit.after')
  }

  const state: State = {
    cursor: () => (isHidden ? committed : cursor),
    own,
    queries: chooseQueries(() => (isHidden ? lastCommit.queries() : own)),
    canHide: () => kept.length === 0,
    async hideWhile(work) {
      isHidden = true
      try {
        return await work
      } finally {
        isHidden = false
      }
    },
    begin() {
      open()
      batch = []
    },
    apply(fact) {
      applyOne(fact)
      batch?.push(fact)
    },
    settle,
    applyIf(fact, holds) {
      const before = cursor
      settle()
      db.exec('SAVEPOINT attempt')
      applyAll([fact])
      const held = holds()
      if (held) {
        batch?.push(fact)
      } else {
        db.exec('ROLLBACK TO attempt')
        reducers.forget()
        cursor = before
      }
      db.exec('RELEASE attempt')
      return held
    },
    keep() {
      for (const fact of batch ?? []) {
        kept.push(fact)
        keptRows += 1 + fact.changes.length
      }
      batch = null
      if (kept.length === 0) takeBack()
    },
    waitingRows: () => keptRows,
    commit() {
      if (batch !== null) commitAll()
      else commitKept()
    },
    rollback: takeBackBatch,
    replay(facts) {
      open()
      try {
        applyAll(facts)
        commitAll()
      } catch (error) {
        takeBackBatch()
        throw error
      }
    },
    tableHashes() {
      settle()
      return Object.fromEntries(STATE_TABLES.map((table) => [table, hashTable(isHidden ? lastCommit.db() : db, table)]))
    },
    async copyTo(copy) {
      commitKept()
      await runCopyWorker(db.name, copy)
      const copied = new Database(copy, { readonly: true })
      const { seq, hash } = copied.prepare('SELECT seq, hash FROM cursor').get() as Cursor
      copied.close()
      return { seq, hash }
    },
    onDisk: () => onDisk,
    close() {
      try {
        commitKept()
        unmark()
      } catch {
        // The tables are late at the next start and catch up from the log.
      }
      lastCommit.close()
      db.close()
    },
  }
  return state
}

function runCopyWorker(file: string, copy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('copy-worker.ts', import.meta.url), { workerData: { file, copy } })
    worker.on('error', reject)
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`copying the tables ended with ${code}`))))
  })
}

function hashTable(db: Database.Database, table: string): Hash {
  const digest = sha256Stream()
  let lines = ''
  // In every table the first two columns together are unique, so the order is always the same.
  for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().iterate()) {
    lines += `${JSON.stringify(row)}\n`
    if (lines.length > 64 * 1024) {
      digest.update(Buffer.from(lines))
      lines = ''
    }
  }
  digest.update(Buffer.from(lines))
  return digest.digest()
}
