/** Made from contract/ by scripts/browser-types.ts: "npm run types". What is changed here by hand is lost. */

import type { EventData } from './event-data.ts'

export type { EventData } from './event-data.ts'

/** An event as a page hears of it: always in its newest version. */
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
export type EventLine = LiveEvent | EventAside

export type ApprovalList = { readonly open: readonly ApprovalView[]; readonly standing: readonly ApprovalView[] }

export type ApprovalView = {
  readonly approval: string
  readonly run: string
  readonly text: string
  readonly kind: 'scope' | 'deletion' | 'trust'
  readonly scope: readonly string[]
  readonly risk: string
  readonly askedMs: number
}

export type ApprovalWord = 'once' | 'run' | 'computer' | 'deny'

export type BudgetView = {
  readonly today: { readonly tokens: number; readonly micros: number }
  readonly computer: { readonly tokens: number }
  readonly run: { readonly run: string; readonly text: string; readonly tokens: number } | null
  readonly caps: Caps
  readonly priced: boolean
}

export type Caps = {
  readonly run: number
  readonly day: number
  readonly computer: number | null
  readonly micros: number | null
}

export type Change = {
  readonly path: string
  readonly from: Entry | null
  readonly to: Entry | null
  readonly movedFrom: string | null
}

export type ChangeView = {
  readonly path: string
  readonly does: 'create' | 'change' | 'delete' | 'move'
  readonly movedFrom: string | null
  readonly merged: boolean
}

export type ComputerView = {
  readonly id: string
  readonly name: string
  readonly user: string
  readonly state: 'open' | 'opening' | 'closed' | 'damaged'
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly problem: string | null
}

export type Conflict = { readonly path: string; readonly why: string }

export type Content =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly object: string; readonly size: number }

export type DiffHunk = { readonly before: number; readonly after: number; readonly lines: readonly DiffLine[] }

export type DiffLine = { readonly is: 'same' | 'added' | 'removed'; readonly text: string; readonly unended: boolean }

export type Entry =
  | { readonly kind: 'file'; readonly mode: '644' | '755'; readonly object: string; readonly size: number }
  | { readonly kind: 'symlink'; readonly mode: '777'; readonly object: string; readonly size: number }
  | { readonly kind: 'folder'; readonly mode: '755'; readonly object: null; readonly size: 0 }

export type EventAside = { readonly live: Said } | { readonly damaged: number }

export type FileDiff = {
  readonly path: string
  readonly does: 'create' | 'change' | 'delete' | 'move'
  readonly movedFrom: string | null
  readonly added: number | null
  readonly removed: number | null
  readonly note: string | null
  readonly hunks: readonly DiffHunk[]
  readonly left: number
}

export type Geometry = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly state: 'normal' | 'minimised' | 'maximised'
}

export type LeaseView = {
  readonly lease: string
  readonly kind: 'read' | 'write' | 'verify' | 'net' | 'export' | 'publish'
  readonly run: string
  readonly task: string
  readonly scope: readonly string[]
  readonly untilMs: number
  readonly uses: number
  readonly used: number
}

export type MemoryEntry = {
  readonly note: string
  readonly part: 'believe' | 'drive' | 'assert' | 'hypothesize' | 'hyperthesis' | 'conjecture'
  readonly text: string
  readonly topic: string
  readonly state: 'stands' | 'fallen' | 'aside' | 'forgotten'
  readonly why: string
  readonly by: 'person' | 'director' | 'associate'
  readonly time: number
  readonly seq: number
  readonly run: string | null
  readonly asked: string | null
  readonly files: readonly string[]
  readonly was: string | null
  readonly edit: number | null
  readonly imported: boolean
}

export type ModelProvider = 'anthropic' | 'bedrock' | 'openai-compatible'

export type ModelView = {
  readonly provider: ModelProvider
  readonly url: string | null
  readonly tiers: { readonly fast: string; readonly strong: string }
  readonly hasKey: boolean
  readonly prices: Prices | null
  readonly effort: 'low' | 'medium' | 'high' | null
  readonly sees: boolean
}

export type MoodName = 'CALM' | 'CURIOUS' | 'SKEPTICAL' | 'PARANOID' | 'BOLD' | 'CONTRITE' | 'PETTY' | 'DEFERENTIAL'

export type MoodView = { readonly pinned: MoodName | null; readonly now: RunMood }

export type Next = {
  readonly seq: number
  readonly undo: { readonly seq: number; readonly title: string; readonly typing: string | null } | null
  readonly redo: { readonly seq: number; readonly title: string; readonly typing: string | null } | null
  readonly open: readonly { readonly run: string; readonly text: string }[]
  readonly safe: { readonly on: boolean; readonly healthy: number | null }
}

export type Note = {
  readonly note: string
  readonly text: string
  readonly topic: string
  readonly by: 'director' | 'associate'
  readonly rests: {
    readonly event: number | null
    readonly tree: string | null
    readonly files: readonly { readonly path: string; readonly object: string | null }[]
  }
}

export type Operation =
  | {
      readonly op: 'write'
      readonly path: string
      readonly content: Content
      readonly from: string | null
      readonly exec?: boolean
    }
  | { readonly op: 'link'; readonly path: string; readonly target: string; readonly from: string | null }
  | { readonly op: 'folder'; readonly path: string }
  | { readonly op: 'remove'; readonly path: string; readonly from?: string | null }
  | { readonly op: 'move'; readonly path: string; readonly to: string; readonly from?: string | null }

export type Prices = { readonly input: number; readonly output: number; readonly cached?: number }

export type Question = {
  readonly text: string
  readonly choices: readonly string[]
  readonly fallback: string
  readonly slot: { readonly recipe: string; readonly field: string } | null
}

export type RecipeField = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'long' | 'choice' | 'colour' | 'number' | 'yes'
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly fallback: string | number | boolean | null
  readonly required: boolean
}

export type RecipeView = {
  readonly name: string
  readonly title: string
  readonly group: string
  readonly hint: string
  readonly example: string
  readonly fields: readonly RecipeField[]
}

export type RoomView = {
  readonly files: { readonly bytes: number; readonly max: number; readonly count: number; readonly countMax: number }
  readonly versions: { readonly bytes: number; readonly max: number }
  readonly history: { readonly bytes: number; readonly max: number }
}

export type RunDiff = {
  readonly from: 'landed' | 'stage' | 'open'
  readonly files: readonly FileDiff[]
  readonly left: number
}

export type RunMood = { readonly mood: MoodName; readonly why: string; readonly by: 'rules' | 'person' }

export type RunPictureView = {
  readonly moment: 'before' | 'after'
  readonly app: string | null
  readonly object: string
  readonly bytes: number
  readonly width: number
  readonly height: number
}

export type RunStatus = 'queued' | 'running' | 'landed' | 'answered' | 'discarded' | 'cancelled' | 'reverted'

export type RunView = {
  readonly run: string
  readonly text: string
  readonly status: RunStatus
  readonly reason: string | null
  readonly reply: string | null
  readonly offers: readonly string[]
  readonly asked: number
  readonly landed: number | null
  readonly undone: boolean
  readonly health: 'ok' | 'bad' | 'unknown' | null
  readonly askedMs: number
  readonly endedMs: number | null
  readonly asking: { readonly question: string; readonly questions: readonly Question[] } | null
  readonly draft: { readonly draft: string; readonly files: number } | null
  readonly mood: RunMood | null
}

export type Said = { readonly run: string; readonly text: string }

export type Source = 'user' | 'agent' | 'system'

export type ThinPlan = {
  readonly versions: number
  readonly files: number
  readonly bytes: number
  readonly more: boolean
}

export type UndoDone = {
  readonly seq: number
  readonly tree: string
  readonly target: { readonly seq: number; readonly type: string; readonly run: string | null; readonly title: string }
  readonly changes: readonly ChangeView[]
  readonly erased: readonly string[]
}

export type UndoPlan = {
  readonly target: { readonly seq: number; readonly type: string; readonly run: string | null; readonly title: string }
  readonly changes: readonly ChangeView[]
  readonly conflicts: readonly Conflict[]
  readonly erased: readonly string[]
  readonly tree: string | null
}

export type UndoTarget =
  | { readonly kind: 'newest'; readonly scope: 'runs' | 'any' | 'desktop'; readonly unit?: number }
  | { readonly kind: 'run'; readonly run: string }
  | { readonly kind: 'unit'; readonly seq: number }
  | { readonly kind: 'event'; readonly seq: number }
  | { readonly kind: 'point'; readonly seq: number }

export type UndoUnit = {
  readonly seq: number
  readonly until: number
  readonly time: number
  readonly type: string
  readonly via: string
  readonly run: string | null
  readonly title: string
  readonly asked: string | null
  readonly undone: boolean
}

export type Via = 'frame' | 'desktop' | 'terminal' | 'cli' | 'agent' | 'system'

export type Window = {
  readonly window: string
  readonly app: string
  readonly title: string
  readonly wide: Geometry | null
  readonly narrow: Geometry | null
}

export type Wish = { readonly recipe: string; readonly parameters: Readonly<Record<string, string | number | boolean>> }
