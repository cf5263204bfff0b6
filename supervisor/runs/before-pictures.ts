import { hashTree } from '@choiros/core/tree.ts'
import type { TreePath } from '@choiros/contract/path.ts'
import { lookAtAll } from './look.ts'
import { keepAgain, keepPictures } from './pictures.ts'
import type { RunAtWork, RunTools } from './run.ts'

/** Takes the pictures of what was there before a run, beside its last steps: no run waits for them. */
export interface BeforePictures {
  /** Of the desktop and of the apps that there are pictures of with the change. */
  take(tools: RunTools, at: RunAtWork): void
  close(): Promise<void>
}

export function createBeforePictures(warn: (message: string, cause?: unknown) => void): BeforePictures {
  const closing = new AbortController()
  let turn: Promise<void> = Promise.resolve()
  return {
    take(tools, at) {
      const { tree } = at.base
      turn = turn
        .then(() => takeMissing(tools, at, tree, closing.signal))
        .catch((error: unknown) => {
          // Without them the run is what it was.
          if (!closing.signal.aborted) warn('no pictures could be taken of what was there before', error)
        })
    },
    async close() {
      closing.abort()
      await turn
    },
  }
}

async function takeMissing(
  tools: RunTools,
  { run }: RunAtWork,
  tree: RunAtWork['base']['tree'],
  signal: AbortSignal,
): Promise<void> {
  const { computer } = tools
  signal.throwIfAborted()
  const hash = hashTree(tree)
  const wanted = computer.queries.pictures(run).filter(({ moment }) => moment === 'after')
  const missing: (string | null)[] = []
  for (const { app } of wanted) {
    // Mostly the run before has left one of the very same tree.
    const known = computer.queries.pictureOf(hash, app)
    if (known !== null) await keepAgain(computer, run, known)
    else if (app === null || tree.has(`app/apps/${app}/app.tsx` as TreePath)) missing.push(app)
  }
  if (missing.length === 0 || tools.browser === null) return
  const seen = await lookAtAll(
    tools,
    { tree, name: `eyes-${run}` },
    missing.map((app) => (app === null ? {} : { app, close: true })),
    signal,
  )
  const taken = seen.flatMap(({ picture }, index) =>
    picture === null ? [] : [{ app: missing[index] ?? null, picture }],
  )
  signal.throwIfAborted()
  await keepPictures(computer, run, 'before', hash, taken)
}
