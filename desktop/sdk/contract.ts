/** Made from contract/ by scripts/browser-types.ts: "npm run types". What is changed here by hand is lost. */

import type {
  ApprovalList,
  BudgetView,
  Entry,
  Geometry,
  LeaseView,
  MemoryEntry,
  MoodView,
  Operation,
  RecipeView,
  RunDiff,
  RunPictureView,
  RunView,
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

/** Every command that the desktop may send, with what it takes and gives. */
export interface Commands {
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
  'undo.list': { input: { readonly limit: number; readonly before?: number }; output: readonly UndoUnit[] }
  'redo.preview': { input: Readonly<Record<string, never>>; output: UndoPlan }
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
  'budget.get': { input: Readonly<Record<string, never>>; output: BudgetView }
  'mood.get': { input: Readonly<Record<string, never>>; output: MoodView }
  'lease.list': { input: Readonly<Record<string, never>>; output: readonly LeaseView[] }
  'approval.list': { input: Readonly<Record<string, never>>; output: ApprovalList }
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
}
