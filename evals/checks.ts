import { hslOf } from './page.ts'
import { must, Problem, soon, type Check } from './task.ts'
import type { World } from './world.ts'

/** Checks that several tasks share. */

export const nothingChanged: Check = async (world) =>
  must((await world.treeHash()) === world.before, 'files were changed')

type Look = Awaited<ReturnType<Awaited<ReturnType<World['page']>>['look']>>

/** Something about the desktop as a whole, as it is drawn. */
export const looks =
  (isSo: (look: Look) => boolean, otherwise: (look: Look) => string): Check =>
  async (world) => {
    const page = await world.page()
    let last: Look | undefined
    await soon(
      async () => isSo((last = await page.look())),
      '', // What it is says more, and is known only now.
    ).catch(() => {
      throw new Problem(otherwise(last!))
    })
  }

export const themeIs = (theme: 'dark' | 'light') =>
  looks(
    (look) => look.theme === theme,
    (look) => `the desktop is ${look.theme}`,
  )

export const barIsAt = (place: 'top' | 'bottom') =>
  looks(
    ({ barTop, barBottom }) => (place === 'top' ? barTop < 60 : barBottom < 60),
    ({ barTop }) => `the taskbar begins ${Math.round(barTop)} pixels from the top`,
  )

const GOLD = 'rgb(214, 178, 94)'

export const accentIsOwn = looks(
  ({ accent }) => accent === GOLD,
  ({ accent }) => `the accent is ${accent}, not the gold it came with`,
)

/** The accent's hue, in degrees from red. */
export const accentHue = (from: number, to: number) =>
  looks(
    ({ accent }) => {
      const { hue, saturation } = hslOf(accent)
      const isIn = from <= to ? hue >= from && hue <= to : hue >= from || hue <= to
      return isIn && saturation > 0.15
    },
    ({ accent }) => `the accent is ${accent}`,
  )

export const accentIs = (colour: string) =>
  looks(
    ({ accent }) => accent === colour,
    ({ accent }) => `the accent is ${accent}`,
  )

export const wallpaperIs = (wanted: RegExp) =>
  looks(
    ({ wallpaper }) => wanted.test(wallpaper),
    ({ wallpaper }) => `the wallpaper is ${wallpaper}`,
  )

export const hasApp =
  (title: RegExp): Check =>
  async (world) => {
    await (await world.page()).openApp(title)
  }

export const hasNoApp =
  (title: RegExp): Check =>
  async (world) => {
    const apps = await (await world.page()).apps()
    must(!apps.some((app) => title.test(app)), `there is an app like ${String(title)}`)
  }

export const hasNoCode =
  (unwanted: RegExp): Check =>
  async (world) =>
    must(!(await world.someCodeHas(unwanted)), `the code has ${String(unwanted)}`)

/** A document whose name and text fit; `shown`: it also opens in Writer. */
export const hasDocument =
  (wanted: { readonly name?: RegExp; readonly text: RegExp }): Check =>
  async (world) => {
    const documents = [...(await world.documents())]
    const fits = documents.some(([path, text]) => (wanted.name ?? /(?:)/).test(path) && wanted.text.test(text))
    must(
      fits,
      `no document ${wanted.name === undefined ? '' : `like ${String(wanted.name)} `}has ${String(wanted.text)}`,
    )
  }

export const hasNoDocument =
  (name: RegExp): Check =>
  async (world) =>
    must(![...(await world.documents()).keys()].some((path) => name.test(path)), `${String(name)} is still there`)

/** A document opens in Writer and shows these words. */
export const documentShows =
  (name: RegExp, words: RegExp): Check =>
  async (world) => {
    const page = await world.page()
    const opened = await page.openDocument(name)
    await opened.shows(words)
  }

export const replied =
  (wanted: RegExp): Check =>
  async ({ replies }) =>
    must(
      wanted.test(replies.at(-1) ?? ''),
      `the reply does not say ${String(wanted)}: ${replies.at(-1)?.slice(0, 120)}`,
    )

/** An answer for a person: a sentence, and no insides of the machine. */
export const repliedPlainly: Check = async ({ replies }) => {
  const reply = replies.at(-1) ?? ''
  must(reply.trim().split(/\s+/).length >= 3, 'there is no answer in words')
  must(!/\bat .*\.ts:\d+|undefined|\[object|Error:/.test(reply), `the answer shows the machine: ${reply.slice(0, 120)}`)
}
