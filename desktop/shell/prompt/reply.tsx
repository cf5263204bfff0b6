import { Markdown } from '@choiros/sdk/markdown.tsx'

interface Props {
  readonly text: string
  /** Sentences that are in the text, in quotation marks. */
  readonly offers: readonly string[]
  ask(text: string): void
}

/** The answer, with each wish that it offers as a button in its place. */
export function Reply({ text, offers, ask }: Props) {
  if (offers.length === 0) return <Markdown text={text} />
  return splitAtOffers(text, offers).map(({ words, isOffer }, index) =>
    isOffer ? (
      <button key={index} type="button" className="plain offer" onClick={() => ask(words)}>
        {words}
      </button>
    ) : (
      words
    ),
  )
}

/** In order: if an offer's words are in the text twice, only the first becomes a button. */
function splitAtOffers(text: string, offers: readonly string[]): { words: string; isOffer: boolean }[] {
  const pieces: { words: string; isOffer: boolean }[] = []
  let rest = text
  for (const offer of offers) {
    const at = rest.indexOf(`“${offer}”`)
    if (at === -1) continue
    pieces.push({ words: rest.slice(0, at), isOffer: false }, { words: offer, isOffer: true })
    rest = rest.slice(at + offer.length + 2)
  }
  return [...pieces, { words: rest, isOffer: false }]
}
