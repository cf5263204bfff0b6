import { hasCode } from '@choiros/contract/error.ts'
import type { Picture } from '@choiros/contract/models.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import type { SentBack } from '@choiros/contract/syscalls.ts'
import type { AssociateResult, DirectorTask, Tool } from '@choiros/contract/tasks.ts'
import { refusalForAgent } from '@choiros/core/moods/agent-words.ts'
import { createBreaker } from '@choiros/core/progress-breaker.ts'
import { quoted } from '@choiros/core/quote.ts'
import { createTalk } from '@choiros/core/talk/talk.ts'
import type { Syscalls } from '@choiros/guest/syscall-client.ts'
import { reportText } from './first-message.ts'
import { systemText } from './system-text.ts'
import type { Workbench } from './tools/tool.ts'
import { modelTools, useTool } from './tools/tools.ts'

export interface ThinkOptions {
  readonly calls: Syscalls
  readonly bench: Workbench
  /** How to write for this desktop. */
  readonly guide: string
  /** The task, and all that is told with it. */
  readonly first: string
  newId(): string
}

type Result = Pick<AssociateResult, 'status' | 'summary'> & Partial<AssociateResult>

/** What the model is told of one use of a tool, and why it is stopped, if it is. */
interface Used {
  readonly text: string
  readonly pictures?: Picture[]
  readonly stop: string | null
}

/** A model at work on one stage. */
export interface Thinker {
  /** Works until the model says that it is done, or gets nowhere. With `again` it goes on with what was sent back. */
  work(again: SentBack | null): Promise<Result>
}

const STEPS_MAX = 250
const EMPTY_MAX = 2
const SUMMARY_CHARS_MAX = 2000
/** What is left when the model is warned. */
const WARN_AT = 0.2

/**
 * A model works on the stage: it asks for tools, they are used and it is told the results, until it says that it is
 * done or gets nowhere. Its talk goes on when its work is sent back.
 */
export function createThinker(task: DirectorTask, { calls, bench, guide, first, newId }: ThinkOptions): Thinker {
  const breaker = createBreaker()
  const talk = createTalk({
    start: [
      { role: 'system', text: systemText(task, guide) },
      { role: 'user', text: first },
    ],
    call: (request) => calls.call('model.stream', request),
  })
  const tools = modelTools(task.allowed_tools)
  let empty = 0
  let steps = 0

  return {
    async work(again) {
      if (again !== null) {
        breaker.answered()
        talk.add({ role: 'user', text: againText(again) })
      }
      while (steps < STEPS_MAX) {
        const end = await step()
        if (end !== null) return end
      }
      return { status: 'failed', summary: `the model was not done after ${STEPS_MAX} steps` }
    },
  }

  async function step(): Promise<Result | null> {
    steps++
    await hear()
    const { text, uses, reasoning, finish } = await talk.ask({ tier: task.model_tier, tools })
    const said = { role: 'assistant' as const, text, uses, ...(reasoning.length === 0 ? {} : { reasoning }) }
    if (uses.length === 0) {
      if (finish === 'length') {
        talk.add(said, {
          role: 'user',
          text: 'You were cut off there. Go on with what is left, in smaller steps.',
        })
        return null
      }
      if (text.trim() !== '') {
        talk.add(said)
        return { status: 'ok', summary: text.trim().slice(0, SUMMARY_CHARS_MAX) }
      }
      if (++empty >= EMPTY_MAX) return { status: 'failed', summary: 'the model gave no answer' }
      talk.add({ role: 'user', text: 'You said nothing. Use a tool, or say what you have done.' })
      return null
    }
    talk.add(said)
    breaker.answered()
    empty = 0
    for (const [index, { id, name, input }] of uses.entries()) {
      const { stop, ...told } = index < LIMITS.usesAtOnceMax ? await oneUse(name, input) : TOO_MANY
      talk.add({ role: 'tool', id, name, ...told })
      if (stop !== null) return { status: 'failed', summary: `the model got nowhere: ${stop}` }
    }
    return null
  }

  async function hear(): Promise<void> {
    const { said, warnings } = await calls.call('work.heard', {})
    const left = STEPS_MAX - steps
    const words = [
      ...(said.length === 0 ? [] : [`The person adds, while you work: ${said.map(quoted).join(' ')}`]),
      ...warnings,
      ...(left === Math.floor(STEPS_MAX * WARN_AT) ? [`You have ${left} steps left. Come to an end.`] : []),
    ]
    if (words.length > 0) talk.add({ role: 'user', text: words.join('\n') })
  }

  /** Why it may not be used now; it may do something else instead. */
  async function begin(use: { call: string; tool: Tool; summary: string }): Promise<string | null> {
    try {
      await calls.call('tool.begin', use)
      return null
    } catch (error) {
      if (!hasCode(error, 'policy.refused')) throw error
      return refusalForAgent(error)
    }
  }

  async function oneUse(name: string, input: unknown): Promise<Used> {
    const stuck = breaker.called(name, input)
    if (!task.allowed_tools.includes(name as Tool)) {
      const message = `there is no tool ${name}`
      return { text: message, stop: stuck ?? breaker.failed(message) }
    }
    const call = newId()
    const told = { call, ok: true, summary: summaryOf(name, input) }
    const refused = await begin({ call, tool: name as Tool, summary: told.summary })
    if (refused !== null) return { text: `failed: ${refused}`, stop: stuck ?? breaker.failed(refused) }
    try {
      const { text, pictures } = await useTool(bench, name as Tool, input)
      await calls.call('tool.end', told)
      return { text, ...(pictures.length === 0 ? {} : { pictures: [...pictures] }), stop: stuck }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      // If this call fails too, the first failure is the one to report.
      const ended = { ...told, ok: false, summary: message.slice(0, 1000).toWellFormed() }
      await calls.call('tool.end', ended).catch(() => {})
      return { text: `failed: ${message}`, stop: stuck ?? breaker.failed(message) }
    }
  }
}

function againText({ why, reports, left }: SentBack): string {
  const bad = reports.filter((report) => !report.ok)
  const found = bad.length === 0 ? quoted(why) : `\n${bad.map(reportText).join('\n')}`
  const tries = left === 0 ? 'This is the last time it is looked at' : `It may be sent back ${left} more times`
  return `Your work did not pass: ${found}\nEverything you did is still in your folder. Mend it and say again what the person has now. ${tries}.`
}

/** The answer to each call beyond those that are allowed at once; the others are done. */
const TOO_MANY: Used = {
  text: `failed: not done, for only ${LIMITS.usesAtOnceMax} tools are used at once; ask for it again`,
  stop: null,
}

/** The words that a person reads while the tool is at work. */
function summaryOf(name: string, input: unknown): string {
  const { path, command, folder, text, pattern, app } = (input ?? {}) as Record<string, unknown>
  if (name === 'plan') return 'makes a plan'
  if (name === 'see') return typeof app === 'string' ? `looks at ${app.slice(0, 100)}` : 'looks at the desktop'
  const object = [path, command, ...(name === 'search' ? [text, pattern] : [folder])].find(
    (one) => typeof one === 'string' && one !== '',
  )
  return `${name} ${typeof object === 'string' ? object : ''}`.trim().slice(0, 200).toWellFormed()
}
