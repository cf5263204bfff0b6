import type { Look, WallpaperName } from './look.ts'
import './wallpaper.css'

const WIDTH = 1600
const HEIGHT = 900

/**
 * A horizon: its height, how far it swings, its waves per screen, where they begin; `trees`: how many stand on it
 * across the screen.
 */
interface Ridge {
  readonly y: number
  readonly swing: number
  readonly waves: number
  readonly phase: number
  readonly trees?: number
}

const LANDSCAPES: Partial<Readonly<Record<WallpaperName, readonly Ridge[]>>> = {
  dusk: [
    { y: 640, swing: 46, waves: 1.3, phase: 0.4 },
    { y: 720, swing: 38, waves: 1.9, phase: 2.2 },
    { y: 800, swing: 30, waves: 1.1, phase: 4.4 },
  ],
  aurora: [
    { y: 770, swing: 40, waves: 2.3, phase: 1 },
    { y: 830, swing: 26, waves: 1.4, phase: 3.1, trees: 110 },
  ],
  dunes: [
    { y: 470, swing: 60, waves: 0.8, phase: 0.2 },
    { y: 560, swing: 78, waves: 1.05, phase: 2.6 },
    { y: 670, swing: 70, waves: 0.75, phase: 4.6 },
    { y: 790, swing: 56, waves: 0.95, phase: 0.9 },
  ],
  ocean: [
    { y: 430, swing: 3, waves: 5, phase: 0 },
    { y: 520, swing: 10, waves: 4.2, phase: 1.7 },
    { y: 620, swing: 16, waves: 3.1, phase: 3.6 },
    { y: 740, swing: 24, waves: 2.2, phase: 5.2 },
  ],
  forest: [
    { y: 480, swing: 70, waves: 1.2, phase: 0.7 },
    { y: 580, swing: 50, waves: 1.6, phase: 2.4, trees: 150 },
    { y: 690, swing: 42, waves: 1.1, phase: 4.2, trees: 96 },
    { y: 810, swing: 30, waves: 1.4, phase: 5.6, trees: 60 },
  ],
}

export function Wallpaper({ wallpaper }: { wallpaper: Look['wallpaper'] }) {
  if (typeof wallpaper !== 'string') return <div className="wallpaper" style={{ background: wallpaper.colour }} />
  const ridges = LANDSCAPES[wallpaper]
  return (
    <div className="wallpaper" data-name={wallpaper} aria-hidden="true">
      {wallpaper === 'aurora' && <div className="veils" />}
      {ridges !== undefined && (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="xMidYMax slice">
          {ridges.map((ridge, index) => (
            <path key={ridge.y} className={`ridge-${index}`} d={outline(ridge)} />
          ))}
        </svg>
      )}
    </div>
  )
}

function outline({ y, swing, waves, phase, trees }: Ridge): string {
  const height = (x: number) => {
    const turn = (x / WIDTH) * waves * 2 * Math.PI + phase
    return y + swing * (0.7 * Math.sin(turn) + 0.3 * Math.sin(turn * 2.3 + phase))
  }
  const steps = trees ?? 64
  const step = WIDTH / steps
  const points = Array.from({ length: steps + 1 }, (_, index) => {
    const x = index * step
    if (trees === undefined) return `${round(x)} ${round(height(x))}`
    // Trees of many sizes, and the same ones every time.
    const tall = step * (1.3 + 1.5 * Math.abs(Math.sin(index * 12.9898 + phase * 78.233)))
    return [
      [x, height(x)],
      [x + step * 0.5, height(x) - tall],
      [x + step, height(x) + step * 0.1],
    ]
      .map(([left, top]) => `${round(left!)} ${round(top!)}`)
      .join('L')
  })
  return `M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
