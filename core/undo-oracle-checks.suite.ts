import { assert } from '@choiros/contract/error.ts'
import { createSmallComputer, type SmallComputer, type Step } from './undo-harness.ts'
import { chooser, createOracle, planHistory, type Deed } from './undo-oracle.ts'
import { placeProblem, readTreeMap } from './tree.ts'

/** Everything of a tree that a disk would show, to compare, and to read when a test fails. */
function shown(computer: SmallComputer): string {
  const reader = readTreeMap(computer.tree())
  const rows: string[] = []
  for (const [path, entry] of computer.tree()) {
    const isFull = entry.kind === 'folder' && !reader.below(path)[Symbol.iterator]().next().done
    if (!isFull) rows.push(`${path} ${entry.kind} ${entry.mode} ${JSON.stringify(computer.text(path))}`)
  }
  return rows.sort().join('\n')
}

function assertSame(now: SmallComputer, expected: SmallComputer, what: string): void {
  assert(shown(now) === shown(expected), `${what}:\n${shown(now)}\n\nexpected:\n${shown(expected)}`)
  assert(now.hash() === expected.hash(), `${what}: the trees are equal, their hashes are not`)
}

/** A computer that went through the deeds, all but those of one event. */
function run(history: readonly (readonly Deed[])[], without = -1): { computer: SmallComputer; seqs: number[] } {
  const computer = createSmallComputer()
  const oracle = createOracle()
  computer.change(...oracle.start())
  const seqs = history.map((deeds, index) =>
    index === without ? 0 : computer.change(...deeds.flatMap((deed) => oracle.steps(deed))),
  )
  return { computer, seqs }
}

/** Undoes a picked event and throws unless the tree is that of the others alone; then redoes it. */
export async function checkWithout(choices: readonly number[], pick: number): Promise<'undone' | 'refused'> {
  const choose = chooser(choices)
  const history = planHistory(choose, 3 + choose(10))
  const k = pick % history.length
  const { computer, seqs } = run(history)
  const before = run(history).computer
  const undone = await computer.undo(seqs[k] as number)
  if ('conflicts' in undone) {
    assertSame(computer, before, 'a refused undo wrote something')
    return 'refused'
  }
  assertSame(computer, run(history, k).computer, `undo of event ${k} of ${JSON.stringify(history)}`)
  const redone = await computer.undo(undone.seq)
  assert(!('conflicts' in redone), 'redo was refused')
  assertSame(computer, before, `redo of event ${k} of ${JSON.stringify(history)}`)
  return 'undone'
}

/** Throws unless the undo of the first of two edits that touch is refused. */
export async function checkNeighbours(choices: readonly number[]): Promise<void> {
  const choose = chooser(choices)
  const lines = Array.from({ length: 12 }, (_, index) => `<${index}>\n`)
  const first = 1 + choose(10)
  const second = first + choose(3) - 1
  const edit = (text: readonly string[], at: number, mark: string): string[] => {
    const line = text.findIndex((old) => old.startsWith(`<${at}>`))
    const changed = [[`<${at}> by ${mark}\n`], [`<${at}> by ${mark}\n`, `more by ${mark}\n`]][choose(2)] as string[]
    return text.toSpliced(line, 1, ...changed)
  }
  const computer = createSmallComputer()
  computer.change({ write: 'a', content: lines.join('') })
  const one = edit(lines, first, 'one')
  const seq = computer.change({ write: 'a', content: one.join('') })
  computer.change({ write: 'a', content: edit(one, second, 'two').join('') })
  const before = shown(computer)
  const undone = await computer.undo(seq)
  assert('conflicts' in undone, `lines ${first} and ${second} were merged:\n${computer.text('a')}`)
  assert(shown(computer) === before, 'a refused undo wrote something')
}

/** Any operations on a few names, so that they disturb each other; refused ones are left out. */
export async function checkAnyHistory(
  choices: readonly number[],
  pick: number,
): Promise<{ undone: number; refused: number }> {
  const choose = chooser(choices)
  const computer = createSmallComputer()
  const seqs: number[] = []
  const count = { undone: 0, refused: 0 }
  for (let event = 0; event < 12; event++) {
    try {
      seqs.push(computer.change(...Array.from({ length: 1 + choose(3) }, () => anyStep(choose))))
    } catch {
      continue // Not possible as the files are by now.
    }
  }
  for (let undo = 0; undo < 3 && seqs.length > 0; undo++) {
    const before = shown(computer)
    const seq = seqs[(pick + undo) % seqs.length] as number
    const undone = await computer.undo(seq)
    assertSound(computer)
    if ('conflicts' in undone) {
      assert(shown(computer) === before, 'a refused undo wrote something')
      count.refused++
      continue
    }
    count.undone++
    const redone = await computer.undo(undone.seq)
    assert(!('conflicts' in redone), `redo was refused: ${JSON.stringify(redone)}`)
    assert(shown(computer) === before, `redo of ${seq} gave\n${shown(computer)}\n\nnot\n${before}`)
    seqs.push(undone.seq, redone.seq)
    await computer.undo(seqs[choose(seqs.length)] as number)
    assertSound(computer)
  }
  return count
}

function anyStep(choose: (count: number) => number): Step {
  const path = () => Array.from({ length: 1 + choose(2) }, () => ['a', 'b', 'c'][choose(3)]).join('/')
  const content = Array.from({ length: 5 }, (_, index) => `${index} ${choose(2)}\n`).join('')
  const kind = choose(10)
  if (kind < 4) return { write: path(), content, exec: choose(3) === 0 }
  if (kind < 5) return { link: path(), target: ['a', './b', '../c'][choose(3)] as string }
  if (kind < 6) return { folder: path() }
  if (kind < 8) return { remove: path() }
  return { move: path(), to: path() }
}

/** Checks that nothing is below a file or a symlink. */
function assertSound(computer: SmallComputer): void {
  const reader = readTreeMap(computer.tree())
  for (const [path, entry] of computer.tree()) {
    const problem = placeProblem(reader, path, entry)
    assert(problem === null, `the tree is not sound: ${problem}\n${shown(computer)}`)
  }
}
