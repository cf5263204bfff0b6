import type { RunId } from '@choiros/contract/ids.ts'
import type { ModelRequest } from '@choiros/contract/models.ts'
import type { ModelListener } from '../models/model-gateway.ts'
import type { LiveText } from './live-text.ts'

/** Whoever can give tasks speaks to the person. A reviewer and a retelling, which think in the same run, cannot. */
const SPEAKS_WITH = 'edit'

/**
 * What the Director says is shown while it says it. What is thought beside that is not shown as if it were its word;
 * that a server keeps the person waiting is, whoever asked.
 */
export function sayingTo(live: LiveText, run: RunId, { tools }: Pick<ModelRequest, 'tools'>): ModelListener {
  const speaks = tools.some(({ name }) => name === SPEAKS_WITH)
  if (speaks) live.begin(run)
  let anew = false
  const tell = (words: string) => {
    anew = true
    live.begin(run)
    live.add(run, words)
  }
  return {
    text(piece) {
      if (anew) live.begin(run)
      anew = false
      if (speaks) live.add(run, piece)
    },
    waits: (ms) => tell(`The model’s server is busy. It is asked again in ${Math.max(1, Math.round(ms / 1000))} s.`),
    asksAgain: () => tell('The model has been silent for too long. It is asked once more.'),
  }
}
