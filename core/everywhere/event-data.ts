/** Made from contract/ by scripts/browser-types.ts: "npm run types". What is changed here by hand is lost. */

import type {
  ApprovalWord,
  Caps,
  Change,
  Geometry,
  MoodName,
  Note,
  Question,
  RunMood,
  Window,
  Wish,
} from './contract.ts'

/** What an event of each type says, in its newest version. */
export interface EventData {
  'base.install': {
    readonly name: string
    readonly release: string
    readonly tree: string
    readonly dependencies: string | null
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'file.change': { readonly changes: readonly Change[]; readonly manifest: string | null }
  'run.land': {
    readonly tree: string
    readonly verified: string
    readonly attestation: string
    readonly summary: string
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'undo': {
    readonly kind: 'run' | 'event' | 'stretch' | 'point' | 'redo'
    readonly target: number
    readonly tree: string
    readonly windows: readonly Window[] | null
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'restore': {
    readonly to: number
    readonly tree: string
    readonly windows: readonly Window[]
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'erase': {
    readonly why: 'content' | 'room'
    readonly objects: readonly string[]
    readonly list: string | null
    readonly tree: string
    readonly reason: string
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'log.recover': {
    readonly after: number
    readonly known: readonly { readonly seq: number; readonly hash: string | null }[]
    readonly tree: string
    readonly missing: number
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'conversation.start': { readonly conversation: string; readonly title: string }
  'message': {
    readonly role: 'user' | 'director' | 'system'
    readonly text: string
    readonly object: string | null
    readonly signature: { readonly key: string; readonly value: string } | null
    readonly wishes: readonly Wish[]
    readonly offers: readonly string[]
  }
  'question.ask': { readonly question: string; readonly questions: readonly Question[] }
  'question.answer': {
    readonly question: string
    readonly answers: readonly string[]
    readonly by: 'person' | 'nobody' | 'withdrawn'
  }
  'work.create': { readonly work: string; readonly title: string; readonly criteria: readonly string[] }
  'work.close': { readonly work: string; readonly outcome: 'done' | 'dropped' }
  'run.start': { readonly base: number }
  'task.request': {
    readonly task: string
    readonly kind: 'edit_repo' | 'run' | 'git' | 'inspect'
    readonly instruction: string
    readonly request: string
  }
  'task.result': {
    readonly task: string
    readonly status: 'ok' | 'needs_input' | 'failed'
    readonly summary: string
    readonly result: string
  }
  'tool.call': { readonly task: string; readonly call: string; readonly tool: string; readonly summary: string }
  'tool.result': {
    readonly task: string
    readonly call: string
    readonly ok: boolean
    readonly summary: string
    readonly stage: string | null
    readonly files: number
    readonly lease: string | null
  }
  'task.plan': {
    readonly task: string
    readonly items: readonly { readonly text: string; readonly state: 'open' | 'doing' | 'done' }[]
  }
  'run.answer': Readonly<Record<string, never>>
  'run.discard': { readonly reason: string }
  'run.cancel': { readonly reason: string; readonly by: 'person' | 'system' }
  'run.revert': {
    readonly land: number
    readonly reason: string
    readonly goesOn: boolean
    readonly tree: string
    readonly changes: readonly Change[]
    readonly manifest: string | null
  }
  'run.draft': { readonly draft: string; readonly files: number; readonly bytes: number; readonly base: number }
  'run.draft.drop': Readonly<Record<string, never>>
  'receipt.verifier': {
    readonly tree: string
    readonly verifier: string
    readonly ok: boolean
    readonly summary: string
    readonly tookMs: number
    readonly report: string | null
    readonly selfReported: boolean
    readonly means: 'reading' | 'browser' | 'server' | 'node'
  }
  'receipt.read': { readonly paths: readonly string[]; readonly files: number; readonly bytes: number }
  'run.picture': {
    readonly moment: 'before' | 'after'
    readonly tree: string
    readonly app: string | null
    readonly object: string
    readonly bytes: number
    readonly width: number
    readonly height: number
  }
  'health': {
    readonly land: number
    readonly verdict: 'ok' | 'bad' | 'unknown'
    readonly why: string
    readonly stack: string
  }
  'budget.reserve': {
    readonly call: string
    readonly tier: 'fast' | 'strong'
    readonly model: string
    readonly tokens: number
    readonly micros: number | null
  }
  'budget.settle': {
    readonly call: string
    readonly input: number
    readonly cached: number
    readonly output: number
    readonly tokens: number
    readonly micros: number | null
  }
  'budget.cap': Caps
  'run.mood': RunMood
  'mood.pin': { readonly mood: MoodName }
  'mood.unpin': Readonly<Record<string, never>>
  'lease.grant': {
    readonly lease: string
    readonly task: string
    readonly kind: 'read' | 'write' | 'verify' | 'net' | 'export' | 'publish'
    readonly scope: readonly string[]
    readonly untilMs: number
    readonly uses: number
  }
  'lease.revoke': { readonly lease: string }
  'receipt.policy': { readonly mood: MoodName; readonly asked: string; readonly why: string }
  'approval.ask': {
    readonly approval: string
    readonly kind: 'scope' | 'deletion' | 'trust'
    readonly scope: readonly string[]
    readonly risk: string
  }
  'approval.answer': { readonly approval: string; readonly answer: ApprovalWord; readonly by: 'person' | 'nobody' }
  'approval.revoke': { readonly approval: string }
  'checkpoint': { readonly name: string; readonly kind: 'user' | 'automatic'; readonly tree: string }
  'fork': {
    readonly name: string
    readonly how: 'fork' | 'import'
    readonly origin: { readonly computer: string; readonly seq: number; readonly hash: string }
  }
  'window.open': { readonly window: string; readonly app: string; readonly title: string }
  'window.close': { readonly window: string }
  'window.settle': { readonly window: string; readonly device: 'wide' | 'narrow'; readonly geometry: Geometry }
  'render.error': { readonly app: string; readonly message: string; readonly stack: string }
  'render.well': { readonly app: string }
  'note.observation': {
    readonly note: string
    readonly text: string
    readonly topic: string
    readonly by: 'director' | 'associate'
    readonly rests: {
      readonly event: number | null
      readonly tree: string | null
      readonly files: readonly { readonly path: string; readonly object: string | null }[]
    }
    readonly of: 'computer' | 'person' | 'aim'
  }
  'note.hypothesis': Note
  'note.hyperthesis': Note
  'note.conjecture': Note
  'note.status': Note
  'note.request.help': Note
  'note.request.verify': Note
  'memory.add': {
    readonly note: string
    readonly part: 'believe' | 'drive'
    readonly text: string
    readonly topic: string
  }
  'memory.correct': { readonly note: string; readonly text: string }
  'memory.forget': { readonly notes: readonly string[] }
  'memory.back': { readonly note: string; readonly edit: number }
}
