import { z } from 'zod'
import { BudgetView, Caps } from '@choiros/contract/budget.ts'
import { CATALOG, definitionOf } from '@choiros/contract/catalog.ts'
import { Note } from '@choiros/contract/events/notes.ts'
import { Question, Wish } from '@choiros/contract/events/talk.ts'
import { Geometry, WindowState } from '@choiros/contract/events/windows.ts'
import { Change, Entry } from '@choiros/contract/change.ts'
import { COMMANDS } from '@choiros/contract/commands.ts'
import { ComputerView } from '@choiros/contract/commands/computers.ts'
import { Content, Operation } from '@choiros/contract/commands/files.ts'
import { RecipeField, RecipeView } from '@choiros/contract/commands/runs.ts'
import type { Caller } from '@choiros/contract/commands/command.ts'
import { Source, Via } from '@choiros/contract/event.ts'
import { MemoryEntry } from '@choiros/contract/memory-view.ts'
import { ApprovalList, MoodView } from '@choiros/contract/commands/policy.ts'
import { ModelProvider, ModelView, Prices } from '@choiros/contract/models.ts'
import { ApprovalView, ApprovalWord, LeaseView, MoodName, RunMood } from '@choiros/contract/policy.ts'
import { RoomView, ThinPlan } from '@choiros/contract/room-view.ts'
import { DiffHunk, DiffLine, FileDiff, RunDiff } from '@choiros/contract/run-diff.ts'
import { RunPictureView } from '@choiros/contract/run-picture-view.ts'
import { RunStatus, RunView } from '@choiros/contract/run-view.ts'
import { EventAside, Said } from '@choiros/contract/wire.ts'
import { ChangeView, Conflict, Next, UndoDone, UndoPlan, UndoTarget, UndoUnit } from '@choiros/contract/undo-view.ts'

/**
 * The contract as types only, for code that runs in a browser and is read and checked in a sandbox: no library, nothing
 * to run. A schema that is named here becomes a type of that name; any other is written out where it is used.
 */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  ApprovalList,
  ApprovalView,
  ApprovalWord,
  BudgetView,
  Caps,
  Change,
  ChangeView,
  ComputerView,
  Conflict,
  Content,
  DiffHunk,
  DiffLine,
  Entry,
  EventAside,
  FileDiff,
  Geometry,
  MemoryEntry,
  LeaseView,
  ModelProvider,
  ModelView,
  MoodName,
  MoodView,
  Next,
  Note,
  Operation,
  Prices,
  Question,
  RecipeField,
  RecipeView,
  RoomView,
  RunDiff,
  RunMood,
  RunPictureView,
  RunStatus,
  RunView,
  Said,
  Source,
  ThinPlan,
  UndoDone,
  UndoPlan,
  UndoTarget,
  UndoUnit,
  Via,
  Window: WindowState,
  Wish,
}

const NAMES: ReadonlyMap<z.core.$ZodType, string> = new Map(
  Object.entries(NAMED).map(([name, schema]) => [schema, name]),
)

type Schema = z.core.JSONSchema.BaseSchema

type Direction = 'input' | 'output'

/** By its name, where it has one. */
function printType(schema: z.ZodType, io: Direction, used: Set<string>): string {
  const name = NAMES.get(schema)
  if (name === undefined) return printWhole(schema, io, used)
  used.add(name)
  return name
}

function printWhole(root: z.ZodType, io: Direction, used: Set<string>): string {
  const schema = z.toJSONSchema(root, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const name = NAMES.get(zodSchema)
      if (name === undefined || zodSchema === (root as z.core.$ZodType)) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
      jsonSchema.$comment = name
      used.add(name)
    },
  })
  return print(schema)
}

function print(schema: Schema): string {
  if (schema.$comment !== undefined) return schema.$comment
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return union.map(print).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => print({ ...schema, type } as Schema)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'number':
    case 'integer':
      return 'number'
    case 'array': {
      const item = print(schema.items as Schema)
      return `readonly ${/[ |{]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
    }
    case 'object':
      return printObject(schema)
    default:
      return 'unknown'
  }
}

function printObject({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) return `Readonly<Record<string, ${print((additionalProperties ?? {}) as Schema)}>>`
  const members = Object.entries(properties).map(
    ([name, member]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${print(member as Schema)}`,
  )
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`
}

const LIVE_EVENT = `/** An event as a page hears of it: always in its newest version. */
export type LiveEvent = {
  readonly [Type in keyof EventData]: {
    readonly seq: number
    readonly time: number
    readonly type: Type
    readonly source: Source
    readonly via: Via
    readonly user: string
    readonly run: string | null
    readonly data: EventData[Type]
  }
}[keyof EventData]

/** A line of the log's stream to a page. */
export type EventLine = LiveEvent | EventAside`

const MADE_BY =
  '/** Made from contract/ by scripts/browser-types.ts: "npm run types". What is changed here by hand is lost. */'

interface Made {
  readonly commands: readonly string[]
  /** The named types that the commands need. */
  readonly used: Set<string>
}

function commandsOf(caller: Caller): Made {
  const used = new Set(['EventData', 'LiveEvent', 'EventLine'])
  const commands = Object.entries(COMMANDS)
    .filter(([, { from }]) => (from as readonly Caller[]).includes(caller))
    .map(
      ([name, { input, output }]) =>
        `  '${name}': { input: ${printType(input, 'input', used)}; output: ${printType(output, 'output', used)} }`,
    )
  return { commands, used }
}

export interface SharedTypes {
  /** A module with every named type. */
  readonly contract: string
  /** A module with the data of all events: two files, because together they are longer than a file may be. */
  readonly events: string
}

export function sharedTypes(callers: readonly Caller[]): SharedTypes {
  const used = new Set([
    ...callers.flatMap((caller) => [...commandsOf(caller).used]),
    'Source',
    'Via',
    'EventAside',
    'Said',
  ])
  for (const own of OWN) used.delete(own)
  const events = [...new Set(CATALOG.map(({ type }) => type))].map(
    (type) => `  '${type}': ${printType(definitionOf(type)?.data ?? z.never(), 'output', used)}`,
  )
  const types = new Map<string, string>()
  // A type may name others, which are then needed too: the set grows during this loop.
  for (const name of used)
    types.set(name, `export type ${name} = ${printWhole(NAMED[name] ?? z.never(), 'output', used)}`)
  const data = events.join('\n')
  const contract = [
    MADE_BY,
    "import type { EventData } from './event-data.ts'",
    "export type { EventData } from './event-data.ts'",
    LIVE_EVENT,
    ...[...types].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text),
  ]
  const named = [...types.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(data)).toSorted()
  const eventData = [
    MADE_BY,
    `import type { ${named.join(', ')} } from './contract.ts'`,
    `/** What an event of each type says, in its newest version. */\nexport interface EventData {\n${data}\n}`,
  ]
  return { contract: `${contract.join('\n\n')}\n`, events: `${eventData.join('\n\n')}\n` }
}

/** Types that are written out in the shared module by hand. */
const OWN = ['EventData', 'LiveEvent', 'EventLine']

/** The text of a module with all commands that this caller may send, and the types they need. */
export function callerTypes(caller: Caller, { contract, events }: SharedTypes): string {
  const { commands, used } = commandsOf(caller)
  const names = [...`${contract}${events}`.matchAll(/^export (?:type|interface) (\w+)/gm)]
    .map(([, name = '']) => name)
    .toSorted()
  const own = commands.join('\n')
  return `${[
    MADE_BY,
    `import type { ${[...used]
      .filter((name) => new RegExp(`\\b${name}\\b`).test(own))
      .toSorted()
      .join(', ')} } from '@choiros/core/everywhere/contract.ts'`,
    `export type { ${names.join(', ')} } from '@choiros/core/everywhere/contract.ts'`,
    `/** Every command that the ${caller} may send, with what it takes and gives. */\nexport interface Commands {\n${own}\n}`,
  ].join('\n\n')}\n`
}
