import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { run } from './choir.ts'
import type { RecipeView, RunView, Wish } from './contract.ts'
import { onEvent, useLive } from './live.ts'
import { isOver, trackRuns, type TrackedRun } from './track-runs.ts'
import { openWindow } from './windows.ts'

const LISTED = 100

interface Kept {
  views: readonly RunView[]
  /** Runs that this page has seen at work: only their answers are news to the person who sits here. */
  readonly seen: Set<string>
  readonly dismissed: Set<string>
  readonly listeners: Set<() => void>
  /** The run that somebody wants to see; a new object each time. */
  shown?: { readonly run: string }
}

/** Kept across hot updates of this file. */
const kept = ((globalThis as { choirRuns?: Kept }).choirRuns ??= createKept())

function createKept(): Kept {
  const made: Kept = { views: [], seen: new Set(), dismissed: new Set(), listeners: new Set() }
  onEvent((event) => void (event.run !== null && made.seen.add(event.run)))
  return made
}

/** Asks for a change; returns at once, with a run to follow by its events. */
export function ask(text: string, wishes: readonly Wish[]): Promise<RunView> {
  return run('prompt', { text, wishes })
}

/** Tells the run at work more; its agents hear it before their next step. */
export function steer(id: string, text: string): Promise<RunView> {
  return run('steer', { run: id, text })
}

/** Answers what a run asks, in the order of its questions. */
export function answer(id: string, question: string, answers: readonly string[]): Promise<RunView> {
  return run('answer', { run: id, question, answers })
}

/** Asks for the same again, beginning with what a run has left behind. */
export function goOn(id: string): Promise<RunView> {
  return run('run.continue', { run: id })
}

/** Forgets what a run has left behind. */
export function dropDraft(id: string): Promise<RunView> {
  return run('run.drop', { run: id })
}

/** Stops the run at work and all that wait. */
export function stopRuns(): Promise<unknown> {
  return run('stop', { run: null })
}

/** What can be asked for, for a person who does not know how to say it. */
export function listRecipes(): Promise<readonly RecipeView[]> {
  return run('recipe.list', {})
}

/** The newest runs, oldest first; correct even after a reload in the middle of a run. */
export function useRuns(): readonly TrackedRun[] {
  const { events, connected } = useLive()
  const views = useSyncExternalStore(subscribe, () => kept.views)
  // Only the computer can say which runs an undo takes back.
  const undone = events.findLast(({ type }) => type === 'undo' || type === 'restore')?.seq
  useEffect(() => {
    if (connected) run('run.list', { limit: LISTED }).then(take, () => {}) // Asked again with the next connection.
  }, [connected, undone])
  return useMemo(() => trackRuns(views, events), [views, events])
}

function take(views: readonly RunView[]): void {
  for (const view of views) if (!isOver(view)) kept.seen.add(view.run)
  show(views)
}

function show(views: readonly RunView[]): void {
  kept.views = views
  for (const listener of kept.listeners) listener()
}

function subscribe(listener: () => void): () => void {
  kept.listeners.add(listener)
  return () => void kept.listeners.delete(listener)
}

/** Opens Runs at one run. */
export function showRun(id: string): Promise<unknown> {
  kept.shown = { run: id }
  for (const listener of kept.listeners) listener()
  return openWindow('runs', 'Runs')
}

/** The run that was last asked for with `showRun`. */
export function useShownRun(): { readonly run: string } | null {
  return useSyncExternalStore(subscribe, () => kept.shown ?? null)
}

/** Whether the person at this page has not read its answer yet. */
export function isNews({ run: id }: TrackedRun): boolean {
  return kept.seen.has(id) && !kept.dismissed.has(id)
}

export function dismiss({ run: id }: TrackedRun): void {
  kept.dismissed.add(id)
  show([...kept.views])
}
