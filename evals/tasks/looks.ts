import { accentHue, accentIs, barIsAt, looks, themeIs, wallpaperIs } from '../checks.ts'
import { hslOf } from '../page.ts'
import { must, type EvalTask } from '../task.ts'

/** The height of the taskbar as it comes, in pixels. */
const BAR_PX = 45

export const LOOKS: readonly EvalTask[] = [
  { name: 'accent by name', group: 'looks', prompts: ['make the accent teal'], wanted: [accentIs('rgb(0, 128, 128)')] },
  {
    name: 'accent in other words',
    group: 'looks',
    prompts: ['I would love the buttons to be a deep purple'],
    wanted: [
      accentHue(255, 325),
      looks(
        ({ accent }) => hslOf(accent).lightness < 0.6,
        ({ accent }) => `${accent} is not deep`,
      ),
    ],
  },
  {
    name: 'light',
    group: 'looks',
    prompts: ['it is too dark in here'],
    wanted: [themeIs('light')],
  },
  {
    name: 'larger text',
    group: 'looks',
    prompts: ['the text is too small for me'],
    wanted: [
      looks(
        ({ fontPx }) => fontPx > 14 && fontPx <= 24,
        ({ fontPx }) => `the text is ${fontPx} pixels high`,
      ),
    ],
  },
  { name: 'taskbar up', group: 'looks', prompts: ['put the taskbar at the top'], wanted: [barIsAt('top')] },
  {
    name: 'two looks at once',
    group: 'looks',
    prompts: ['an ocean wallpaper and a crimson accent'],
    wanted: [wallpaperIs(/ocean/), accentIs('rgb(220, 20, 60)')],
  },
  {
    name: 'rounder windows',
    group: 'looks',
    prompts: ['make the corners of all windows much rounder, like 24 pixels'],
    wanted: [
      async (world) => {
        const files = await (await world.page()).openApp(/^files$/i)
        const radius = Number.parseFloat(await files.style('border-top-left-radius'))
        must(radius >= 20, `the corners have a radius of ${radius} pixels`)
      },
    ],
  },
  {
    name: 'serif everywhere',
    group: 'looks',
    prompts: ['use a font with serifs for the whole interface'],
    wanted: [
      looks(
        ({ family }) => /serif/i.test(family) && !/sans|system-ui/i.test(family),
        ({ family }) => `the interface is set in ${family.slice(0, 80)}`,
      ),
    ],
  },
  {
    name: 'taller taskbar',
    group: 'looks',
    prompts: ['make the taskbar clearly taller, about 64 pixels, and keep it usable on a phone'],
    wanted: [
      looks(
        ({ barHeight }) => barHeight > BAR_PX + 8 && barHeight < 90,
        ({ barHeight }) => `the taskbar is ${Math.round(barHeight)} pixels high`,
      ),
      barIsAt('bottom'),
    ],
  },
  {
    name: 'in German',
    group: 'looks',
    prompts: ['Mach es hell und den Akzent dunkelgrün, bitte'],
    wanted: [
      themeIs('light'),
      accentHue(90, 165),
      async ({ replies }) => must(/hell|Akzent|Farbe/.test(replies.at(-1) ?? ''), 'the answer is not in German'),
    ],
  },
]
