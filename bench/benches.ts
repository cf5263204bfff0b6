import type { Section } from './report.ts'

/** By name. The benches that write most files come last, because the files slow the disk for the benches after them. */
export const BENCHES: Readonly<Record<string, () => Promise<{ run(folder: string): Promise<Section> }>>> = {
  'rebuild': () => import('./rebuild.ts'),
  'seek': () => import('./seek.ts'),
  'append': () => import('./append.ts'),
  'undo': () => import('./undo.ts'),
  'memory': () => import('./memory.ts'),
  'pixel': () => import('./pixel.ts'),
  'prompt': () => import('./prompt.ts'),
  'step': () => import('./step.ts'),
  'model-run': () => import('./model-run.ts'),
  'sandbox': () => import('./sandbox.ts'),
  'eyes': () => import('./eyes.ts'),
  'status': () => import('./status.ts'),
  'start': () => import('./start.ts'),
  'landing': () => import('./landing.ts'),
  'restore': () => import('./restore.ts'),
}
