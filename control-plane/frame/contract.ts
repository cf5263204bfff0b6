/** Made from contract/ by scripts/browser-types.ts: "npm run types". What is changed here by hand is lost. */

import type {
  ApprovalList,
  ApprovalWord,
  BudgetView,
  ComputerView,
  Entry,
  Geometry,
  LeaseView,
  MemoryEntry,
  ModelProvider,
  ModelView,
  MoodName,
  MoodView,
  Next,
  Operation,
  Prices,
  RecipeView,
  RoomView,
  RunDiff,
  RunPictureView,
  RunView,
  ThinPlan,
  UndoDone,
  UndoPlan,
  UndoTarget,
  UndoUnit,
  Window,
  Wish,
} from '@choiros/core/everywhere/contract.ts'

export type {
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
  EventData,
  EventLine,
  FileDiff,
  Geometry,
  LeaseView,
  LiveEvent,
  MemoryEntry,
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
  Window,
  Wish,
} from '@choiros/core/everywhere/contract.ts'

/** Every command that the frame may send, with what it takes and gives. */
export interface Commands {
  'status': {
    input: Readonly<Record<string, never>>
    output: {
      readonly ok: true
      readonly release: string
      readonly pid: number
      readonly home: string
      readonly user: string
      readonly running: boolean
      readonly address: string | null
      readonly sandboxes: readonly { readonly name: string; readonly role: string }[]
      readonly computers: readonly ComputerView[]
    }
  }
  'computer.add': { input: { readonly name: string }; output: ComputerView }
  'computer.list': { input: Readonly<Record<string, never>>; output: readonly ComputerView[] }
  'link.create': {
    input: Readonly<Record<string, never>>
    output: { readonly url: string | null; readonly code: string; readonly expiresMs: number }
  }
  'files.change': {
    input: { readonly operations: readonly Operation[] }
    output: { readonly seq: number | null; readonly changes: number; readonly written: readonly string[] }
  }
  'files.list': {
    input: { readonly path: string | null; readonly at: number | null }
    output: readonly { readonly path: string; readonly entry: Entry; readonly seq: number | null }[]
  }
  'files.stat': {
    input: { readonly path: string; readonly at: number | null }
    output: { readonly entry: Entry | null }
  }
  'tree': {
    input: { readonly at: number | null }
    output: { readonly seq: number; readonly hash: string; readonly files: Readonly<Record<string, Entry>> }
  }
  'undo.preview': { input: { readonly target: UndoTarget }; output: UndoPlan }
  'undo': { input: { readonly target: UndoTarget; readonly tree: string | null }; output: UndoDone }
  'undo.list': { input: { readonly limit: number; readonly before?: number }; output: readonly UndoUnit[] }
  'redo.preview': { input: Readonly<Record<string, never>>; output: UndoPlan }
  'redo': { input: { readonly undo?: number }; output: UndoDone }
  'next': { input: Readonly<Record<string, never>>; output: Next }
  'restore': { input: { readonly to: number }; output: UndoDone }
  'restore.preview': { input: { readonly to: number }; output: UndoPlan }
  'checkpoint': {
    input: { readonly name: string | null }
    output: { readonly seq: number; readonly name: string; readonly tree: string; readonly commit: string | null }
  }
  'checkpoint.list': {
    input: { readonly kind?: 'user' | 'automatic'; readonly limit?: number; readonly before?: number }
    output: readonly {
      readonly seq: number
      readonly time: number
      readonly name: string
      readonly kind: string
      readonly tree: string
    }[]
  }
  'fork': { input: { readonly name: string; readonly at: number | null }; output: ComputerView }
  'erase.preview': {
    input: { readonly path: string }
    output: {
      readonly objects: readonly string[]
      readonly paths: readonly string[]
      readonly shared: readonly string[]
    }
  }
  'erase': {
    input: { readonly objects: readonly string[]; readonly reason: string }
    output: { readonly seq: number; readonly objects: number; readonly tree: string }
  }
  'room': { input: Readonly<Record<string, never>>; output: RoomView }
  'thin.preview': { input: { readonly olderThanMs: number }; output: ThinPlan }
  'thin': {
    input: { readonly olderThanMs: number }
    output: {
      readonly seq: number | null
      readonly versions: number
      readonly files: number
      readonly bytes: number
      readonly more: boolean
      readonly room: RoomView
    }
  }
  'verify': {
    input: Readonly<Record<string, never>>
    output: {
      readonly ok: boolean
      readonly problems: readonly { readonly code: string; readonly message: string }[]
      readonly mended: readonly string[]
      readonly events: number
      readonly objects: number
      readonly head: { readonly seq: number; readonly hash: string } | null
      readonly tree: string | null
      readonly tables: Readonly<Record<string, string>>
    }
  }
  'recover.preview': {
    input: Readonly<Record<string, never>>
    output: {
      readonly head: number
      readonly known: number
      readonly witnesses: readonly { readonly who: string; readonly seq: number }[]
      readonly events: number
      readonly changes: readonly { readonly path: string; readonly does: 'create' | 'change' | 'delete' | 'move' }[]
      readonly missing: readonly string[]
      readonly asked: readonly string[]
    }
  }
  'recover': {
    input: Readonly<Record<string, never>>
    output: {
      readonly seq: number
      readonly head: number
      readonly known: number
      readonly witnesses: readonly { readonly who: string; readonly seq: number }[]
      readonly events: number
      readonly changes: readonly { readonly path: string; readonly does: 'create' | 'change' | 'delete' | 'move' }[]
      readonly missing: readonly string[]
      readonly asked: readonly string[]
    }
  }
  'receipt': {
    input: Readonly<Record<string, never>>
    output: { readonly seq: number; readonly hash: string; readonly time: number; readonly text: string }
  }
  'receipt.check': {
    input: { readonly text: string }
    output: { readonly holds: boolean; readonly seq: number; readonly why: string | null }
  }
  'replay': {
    input: { readonly to: number | null }
    output: {
      readonly seq: number
      readonly tree: string
      readonly tables: Readonly<Record<string, string>>
      readonly matches: boolean | null
    }
  }
  'prompt': { input: { readonly text: string; readonly wishes?: readonly Wish[] }; output: RunView }
  'run.list': {
    input: { readonly limit: number; readonly before?: number; readonly changed?: boolean }
    output: readonly RunView[]
  }
  'run.get': { input: { readonly run: string }; output: RunView }
  'run.diff': { input: { readonly run: string; readonly path: string | null }; output: RunDiff }
  'run.pictures': { input: { readonly run: string }; output: readonly RunPictureView[] }
  'run.picture': {
    input: { readonly run: string; readonly object: string }
    output: { readonly type: 'image/jpeg'; readonly base64: string }
  }
  'stop': { input: { readonly run: string | null }; output: { readonly stopped: readonly string[] } }
  'steer': { input: { readonly run: string; readonly text: string }; output: RunView }
  'run.continue': { input: { readonly run: string }; output: RunView }
  'run.drop': { input: { readonly run: string }; output: RunView }
  'answer': {
    input: { readonly run: string; readonly question: string; readonly answers: readonly string[] }
    output: RunView
  }
  'recipe.list': { input: Readonly<Record<string, never>>; output: readonly RecipeView[] }
  'model.set': {
    input: {
      readonly provider: ModelProvider
      readonly url: string | null
      readonly key: string | null
      readonly fast: string
      readonly strong: string
      readonly prices: Prices | null
      readonly effort?: 'low' | 'medium' | 'high' | null
      readonly sees?: boolean | null
    }
    output: ModelView
  }
  'model.list': { input: Readonly<Record<string, never>>; output: readonly ModelView[] }
  'model.remove': { input: Readonly<Record<string, never>>; output: Readonly<Record<string, never>> }
  'model.test': {
    input: { readonly tier: 'fast' | 'strong' }
    output: { readonly ok: boolean; readonly message: string; readonly tookMs: number }
  }
  'budget.get': { input: Readonly<Record<string, never>>; output: BudgetView }
  'budget.set': {
    input: {
      readonly run?: number
      readonly day?: number
      readonly computer?: number | null
      readonly micros?: number | null
    }
    output: BudgetView
  }
  'mood.get': { input: Readonly<Record<string, never>>; output: MoodView }
  'mood.pin': { input: { readonly mood: MoodName }; output: MoodView }
  'mood.unpin': { input: Readonly<Record<string, never>>; output: MoodView }
  'lease.list': { input: Readonly<Record<string, never>>; output: readonly LeaseView[] }
  'lease.revoke': { input: { readonly lease: string }; output: readonly LeaseView[] }
  'approval.list': { input: Readonly<Record<string, never>>; output: ApprovalList }
  'approval.answer': { input: { readonly approval: string; readonly answer: ApprovalWord }; output: ApprovalList }
  'approval.revoke': { input: { readonly approval: string }; output: ApprovalList }
  'safe-mode': { input: { readonly on: boolean }; output: { readonly on: boolean; readonly healthy: number | null } }
  'safe-mode.get': {
    input: Readonly<Record<string, never>>
    output: { readonly on: boolean; readonly healthy: number | null }
  }
  'render.report': {
    input: { readonly app: string; readonly message: string; readonly stack: string }
    output: {
      readonly count: number
      readonly canMend: boolean
      readonly change: { readonly unit: number; readonly title: string } | null
    }
  }
  'render.well': { input: { readonly app: string }; output: Readonly<Record<string, never>> }
  'window.open': {
    input: { readonly window: string; readonly app: string; readonly title: string }
    output: { readonly seq: number }
  }
  'window.close': { input: { readonly window: string }; output: { readonly seq: number } }
  'window.settle': {
    input: { readonly window: string; readonly device: 'wide' | 'narrow'; readonly geometry: Geometry }
    output: { readonly seq: number }
  }
  'window.list': { input: Readonly<Record<string, never>>; output: readonly Window[] }
  'memory.list': { input: Readonly<Record<string, never>>; output: readonly MemoryEntry[] }
  'memory.add': {
    input: { readonly text: string; readonly part?: 'believe' | 'drive'; readonly topic?: string }
    output: { readonly seq: number; readonly note: string }
  }
  'memory.correct': {
    input: { readonly note: string; readonly text: string }
    output: { readonly seq: number; readonly note: string }
  }
  'memory.forget': { input: { readonly note: string }; output: { readonly seq: number; readonly note: string } }
  'memory.back': { input: { readonly note: string }; output: { readonly seq: number; readonly note: string } }
}
