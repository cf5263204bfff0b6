import { useEffect, useState } from 'react'
import { explain, run as send } from '@choiros/sdk/choir.ts'
import type { RunPictureView } from '@choiros/sdk/contract.ts'
import { altText, pairsOfPictures, type PicturePair } from './picture-pairs.ts'

/**
 * What a change looks like, before and after. `taken`: how many pictures this page has heard of, so that one that is
 * taken later is shown when it is there.
 */
export function Pictures({ run, taken }: { run: string; taken: number }) {
  const [pictures, setPictures] = useState<readonly RunPictureView[]>([])
  const [large, setLarge] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    send('run.pictures', { run }).then(
      (found) => current && setPictures(found),
      () => {}, // Without them the run can still be read.
    )
    return () => void (current = false)
  }, [run, taken])
  const pairs = pairsOfPictures(pictures)
  if (pairs.length === 0) return null
  return (
    <section className="run-pictures" aria-label="What it looks like">
      {pairs.map((pair) => (
        <Pair key={pair.name} run={run} pair={pair} large={large} show={setLarge} />
      ))}
    </section>
  )
}

interface PairProps {
  readonly run: string
  readonly pair: PicturePair
  readonly large: string | null
  show(large: string | null): void
}

function Pair({ run, pair: { name, before, after }, large, show }: PairProps) {
  const one = (moment: RunPictureView['moment'], view: RunPictureView | null) => {
    if (view === null) return null
    const key = `${name} ${moment}`
    const isLarge = large === key
    return (
      // Never larger than it was taken: that would show no more.
      <figure className={isLarge ? 'large' : ''} style={{ maxWidth: isLarge ? view.width : Math.min(view.width, 420) }}>
        <button
          type="button"
          className="plain"
          aria-pressed={isLarge}
          aria-label={`${altText(name, moment)}: ${isLarge ? 'smaller' : 'larger'}`}
          onClick={() => show(isLarge ? null : key)}
        >
          <Picture run={run} view={view} alt={altText(name, moment)} />
        </button>
        <figcaption>{moment === 'before' ? 'Before' : before === null ? 'New' : 'After'}</figcaption>
      </figure>
    )
  }
  return (
    <div className="picture-pair" role="group" aria-label={name}>
      <p className="quiet">{name}</p>
      <div className="picture-row">
        {one('before', before)}
        {one('after', after)}
      </div>
    </div>
  )
}

/** Its bytes are asked for when it is shown. The page takes them for a picture and nothing else, whatever they are. */
function Picture({ run, view: { object, width, height }, alt }: { run: string; view: RunPictureView; alt: string }) {
  const [address, setAddress] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    send('run.picture', { run, object }).then(
      ({ type, base64 }) => current && setAddress(`data:${type};base64,${base64}`),
      (error: unknown) => current && setProblem(explain(error)),
    )
    return () => void (current = false)
  }, [run, object])
  const style = { aspectRatio: `${width} / ${height}` }
  if (address === null)
    return (
      <span className="picture-place quiet" style={style}>
        {problem ?? ''}
      </span>
    )
  return (
    <img
      src={address}
      alt={alt}
      width={width}
      height={height}
      style={style}
      onError={() => {
        setAddress(null)
        setProblem('This picture cannot be shown.')
      }}
    />
  )
}
