import { askedOf, type Script, type Scripted } from './scripted-model.ts'

/** Where a run can be caught. */
export type Place =
  | 'director.model'
  | 'director.answered'
  | 'director.read'
  | 'question'
  | 'task.given'
  | 'associate.start'
  | 'associate.model'
  | 'server.busy'
  | 'hands'
  | 'plan'
  | 'tool.inside'
  | 'tool.after'
  | 'verifiers'
  | 'sent.back'
  | 'render'
  | 'reviewer.model'
  | 'mend.model'
  | 'last.word'
  | 'landing.before'
  | 'landing.after'

/**
 * The moments at which a person may press Stop and nothing has landed yet, in the order in which a run comes by them.
 */
export const MOMENTS: readonly (readonly [name: string, place: Place])[] = [
  ['while the Director thinks', 'director.model'],
  ['when the Director was answered and has given no task yet', 'director.answered'],
  ['when the Director has read files', 'director.read'],
  ['while a question waits for its answer', 'question'],
  ['when the task is given and nobody works on it yet', 'task.given'],
  ['while the sandbox of the Associate starts', 'associate.start'],
  ['while the Associate thinks', 'associate.model'],
  ['while a busy server is waited for', 'server.busy'],
  ['while two work at once', 'hands'],
  ['when a plan is made', 'plan'],
  ['in a tool', 'tool.inside'],
  ['after a tool', 'tool.after'],
  ['while verifiers look', 'verifiers'],
  ['while work that was refused is mended', 'sent.back'],
  ['while it is shown to a browser', 'render'],
  ['while somebody with fresh eyes looks', 'reviewer.model'],
  ['while what was found missing is added', 'mend.model'],
  ['while the Director thinks about its last word', 'last.word'],
  ['between verification and landing', 'landing.before'],
]

export const SLEEP = 'sleep 31.73'

/** Holds the wish that comes by the chosen place until it is let go. */
export function createTrap() {
  let chosen: { place: Place; wish: string } | null = null
  let arrived = Promise.withResolvers<void>()
  let letGo = Promise.withResolvers<void>()
  return {
    set(place: Place, wish = 'second'): void {
      chosen = { place, wish }
      arrived = Promise.withResolvers<void>()
      letGo = Promise.withResolvers<void>()
    },
    isAt: (place: Place) => chosen?.place === place,
    async at(place: Place, wish = 'second'): Promise<void> {
      if (chosen?.place !== place || chosen.wish !== wish) return
      arrived.resolve()
      await letGo.promise
    },
    arrived: () => arrived.promise,
    open(): void {
      chosen = null
      letGo.resolve()
    },
  }
}
type Trap = ReturnType<typeof createTrap>

const use = (name: string, input: unknown): Scripted => ({ uses: [{ name, input }] })
/** Long enough that somebody with fresh eyes looks at it. */
const CODE = `${Array.from({ length: 30 }, (_, line) => `export const second${line} = ${line}`).join('\n')}\n`

/**
 * For the wish “roll the NAME dice” there will be a document of that name; for the second one, which is to be stopped,
 * also code, on the way by which it comes to the chosen place.
 */
export function diceScript(trap: Trap): Script {
  return async (request) => {
    const { role, turn, all, last } = askedOf(request)
    const name = /(?:says: \W{0,3}roll|make) the (\w+) dice/.exec(all)?.[1] ?? ''
    await trap.at(role === 'director' && turn > 0 ? 'last.word' : `${role}.model`, name)
    const isSecond = name === 'second'
    if (role === 'director') return isSecond ? directorsWay(trap, turn, name) : turn === 0 ? edit(name) : done(name)
    if (isSecond && trap.isAt('hands')) {
      await trap.at('hands')
      return done(name)
    }
    if (isSecond && trap.isAt('server.busy')) {
      void trap.at('server.busy')
      return { status: 429 }
    }
    if (last.includes('did not pass')) await trap.at('sent.back', name)
    if (all.includes('fresh eyes')) await trap.at('mend.model', name)
    if (turn > 0) return done(name)
    const document = { name: 'write', input: { path: `artifacts/${name}.md`, text: name } }
    const text = trap.isAt('sent.back') ? "export const second: number = 'two'\n" : CODE
    const code = { name: 'write', input: { path: 'app/second.ts', text } }
    const plan = { name: 'plan', input: { items: [{ text: 'roll', state: 'doing' }] } }
    const long = trap.isAt('tool.inside') ? [{ name: 'shell', input: { command: SLEEP } }] : []
    return { uses: isSecond ? [plan, document, code, ...long] : [document] }
  }
}

function directorsWay(trap: Trap, turn: number, name: string): Scripted {
  const before = trap.isAt('director.read')
    ? use('read', { path: 'app/main.tsx' })
    : trap.isAt('question')
      ? use('ask', { questions: [{ question: 'How many?', default: 'two' }] })
      : null
  const steps = [...(before === null ? [] : [before]), trap.isAt('hands') ? together(name) : edit(name)]
  return steps[turn] ?? done(name)
}

function edit(name: string): Scripted {
  return use('edit', { instruction: `make the ${name} dice`, may_write: ['app/', 'artifacts/'] })
}

function together(name: string): Scripted {
  const tasks = ['app/', 'artifacts/'].map((folder) => ({ instruction: `make the ${name} dice`, may_write: [folder] }))
  return use('together', { tasks })
}

function done(name: string): Scripted {
  return { text: `The ${name} dice are there.` }
}

/** Finds the second dice wanting, where they are to be caught being mended. */
export function diceReviewer(trap: Trap): Script {
  return async () => {
    await trap.at('reviewer.model')
    const grade = trap.isAt('mend.model') ? 1 : 4
    return use('verdict', { criteria: [{ number: 1, grade, seen: 'two dice' }] })
  }
}
