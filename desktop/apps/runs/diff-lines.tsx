import { useEffect, useMemo, useRef, useState } from 'react'
import type { DiffHunk } from '@choiros/sdk/contract.ts'
import { pairsOf, rowsOf, type Pair, type Side } from './diff-rows.ts'

/** From this width on, two columns of code are readable beside each other. */
const WIDE_PX = 860

/** A file's changes: one below the other, or side by side where there is room. */
export function DiffLines({ hunks, label }: { hunks: readonly DiffHunk[]; label: string }) {
  const [isWide, ref] = useIsWide()
  const pairs = useMemo(() => hunks.map(pairsOf), [hunks])
  const hasTwoSides = pairs.some(
    (hunk) => hunk.some(({ before }) => before !== null) && hunk.some(({ after }) => after !== null),
  )
  const beside = isWide && hasTwoSides
  return (
    <div className="diff" ref={ref}>
      <table className={beside ? 'beside' : 'below'} aria-label={label}>
        {pairs.map((hunk, index) => (
          <tbody key={hunks[index]?.before}>
            {index > 0 && (
              <tr className="gap" aria-hidden="true">
                <td colSpan={4}>⋯</td>
              </tr>
            )}
            {beside
              ? hunk.map(besideRow)
              : rowsOf(hunk).map(({ is, before, after, side }) => (
                  <tr key={`${before} ${after}`} className={is}>
                    <td className="number old">{before}</td>
                    <td className="number">{after}</td>
                    <td className="sign">{is === 'added' ? '+' : is === 'removed' ? '−' : ''}</td>
                    <td className="code">{words(side)}</td>
                  </tr>
                ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function besideRow({ same, before, after }: Pair) {
  const cells = (side: Side | null, change: string) => {
    const kind = side === null ? 'none' : same ? 'same' : change
    return (
      <>
        <td className={`number ${kind}`}>{side?.number}</td>
        <td className={`code ${kind}`}>{side === null ? null : words(side)}</td>
      </>
    )
  }
  return (
    <tr key={`${before?.number} ${after?.number}`}>
      {cells(before, 'removed')}
      {cells(after, 'added')}
    </tr>
  )
}

function words({ text, mark, unended }: Side) {
  const end = unended && <i title="The file ends without a newline">⌿</i>
  if (mark === null || mark[0] === mark[1])
    return (
      <>
        {text}
        {end}
      </>
    )
  return (
    <>
      {text.slice(0, mark[0])}
      <mark>{text.slice(...mark)}</mark>
      {text.slice(mark[1])}
      {end}
    </>
  )
}

/** The element's width, not the screen's: a window may be narrow on a wide screen. */
function useIsWide() {
  const ref = useRef<HTMLDivElement>(null)
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setIsWide(element.clientWidth >= WIDE_PX))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [isWide, ref] as const
}
