import { must, soon, type Check, type EvalTask } from '../task.ts'
import { hasApp } from '../checks.ts'

/** Types something into an app, sends it off, and finds it there after the page was loaded again. */
const keeps =
  (app: RegExp, text: string): Check =>
  async (world) => {
    const page = await world.page()
    const opened = await page.openApp(app)
    if ((await opened.count('input, textarea, [contenteditable=true]')) === 0) await opened.press(/new|add|\+|write/i)
    await opened.fill(text)
    await opened.submit()
    await opened.shows(new RegExp(text), `what was typed is not there: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, SAVED_MS))
    await page.reload()
    const again = await page.openApp(app)
    await again.shows(new RegExp(text), `“${text}” is gone after the page was loaded again`)
  }

/** Apps save what is typed after a moment. */
const SAVED_MS = 1500

const press =
  (app: RegExp, names: readonly RegExp[], shown: RegExp, otherwise: string): Check =>
  async (world) => {
    const opened = await (await world.page()).openApp(app)
    for (const name of names) await opened.press(name)
    await opened.shows(shown, otherwise)
  }

const CALCULATOR = /calc/i
const COUNTER = /count/i

export const NEW_APPS: readonly EvalTask[] = [
  {
    name: 'shopping list',
    group: 'new apps',
    prompts: ['give me somewhere to keep a shopping list'],
    wanted: [hasApp(/shopping/i), keeps(/shopping/i, 'oat milk')],
  },
  {
    name: 'tea timer',
    group: 'new apps',
    prompts: ['a timer for tea please'],
    wanted: [
      hasApp(/tea|timer/i),
      async (world) => {
        const timer = await (await world.page()).openApp(/tea|timer/i)
        const before = await timer.text()
        await timer.press(/start|go|begin|▶/i)
        await soon(async () => (await timer.text()) !== before, 'nothing moves after Start')
      },
    ],
  },
  {
    name: 'recipe notes',
    group: 'new apps',
    prompts: ['I need a place for my recipes'],
    wanted: [hasApp(/recipe|note/i), keeps(/recipe|note/i, 'pancakes with plums')],
  },
  {
    name: 'clock with seconds',
    group: 'new apps',
    prompts: ['add a clock with seconds'],
    wanted: [
      async (world) => {
        const page = await world.page()
        const time = async () => (await page.widgets()).find((text) => /\d{1,2}:\d\d:\d\d/.test(text))
        await soon(async () => (await time()) !== undefined, 'no widget shows hours, minutes and seconds')
        const before = await time()
        await soon(async () => (await time()) !== before, 'the clock stands still')
      },
    ],
  },
  {
    name: 'dice',
    group: 'new apps',
    prompts: ['build me a small app that rolls two dice and keeps the last ten rolls'],
    wanted: [
      hasApp(/dice|roll/i),
      async (world) => {
        const dice = await (await world.page()).openApp(/dice|roll/i)
        const before = await dice.text()
        for (let roll = 0; roll < 12; roll++) await dice.press(/roll|throw/i)
        await soon(async () => (await dice.text()) !== before, 'nothing is shown after a roll')
        const shown = await dice.text()
        must(/[1-6⚀-⚅]/.test(shown), 'no number of a die is shown')
        must((await dice.count('li, tr, [role=listitem]')) <= 12, 'more than ten rolls are kept')
      },
    ],
  },
  {
    name: 'calculator',
    group: 'new apps',
    prompts: ['I want a simple calculator app with the four operations'],
    wanted: [
      hasApp(CALCULATOR),
      press(CALCULATOR, [/^7$/, /^(×|x|\*|·|multiply|times)/i, /^8$/, /^(=|equals)/i], /\b56\b/, '7 × 8 is not 56'),
      press(
        CALCULATOR,
        [/^(c|ac|clear)/i, /^9$/, /^(÷|\/|:|divide)/i, /^2$/, /^(=|equals)/i],
        /4[.,]5/,
        '9 ÷ 2 is not 4.5',
      ),
    ],
  },
  {
    name: 'habit tracker',
    group: 'new apps',
    prompts: ['make an app where I can add habits and tick them off for each day of the week'],
    wanted: [
      hasApp(/habit/i),
      keeps(/habit/i, 'read a chapter'),
      async (world) => {
        const habits = await (await world.page()).openApp(/habit/i)
        const marks = 'input[type=checkbox], [role=checkbox], [aria-pressed], td button, [role=gridcell] button'
        must((await habits.count(marks)) >= 7, 'there are not seven days to tick')
      },
    ],
  },
  {
    name: 'unit converter',
    group: 'new apps',
    prompts: ['an app that converts kilometres to miles and back'],
    wanted: [
      hasApp(/convert|mile|unit|km/i),
      async (world) => {
        const converter = await (await world.page()).openApp(/convert|mile|unit|km/i)
        await converter.fill('10')
        await converter.shows(/6[.,]21/, '10 kilometres are not 6.21 miles')
      },
    ],
  },
  {
    name: 'counter that remembers',
    group: 'new apps',
    prompts: ['make a counter app with plus and minus that remembers its number'],
    wanted: [
      hasApp(COUNTER),
      press(
        COUNTER,
        [/^(\+|plus|add|increase|up)/i, /^(\+|plus|add|increase|up)/i],
        /\b2\b/,
        'two presses of plus are not 2',
      ),
      async (world) => {
        const page = await world.page()
        await new Promise((resolve) => setTimeout(resolve, SAVED_MS))
        await page.reload()
        await (await page.openApp(COUNTER)).shows(/\b2\b/, 'the number is gone after the page was loaded again')
      },
    ],
    always: [
      async (world) => must(!(await world.someCodeHas(/localStorage|sessionStorage/)), 'it stores in the browser'),
    ],
  },
  {
    name: 'month calendar',
    group: 'new apps',
    prompts: ['a calendar app that shows the days of this month and lets me write a note on a day'],
    wanted: [
      hasApp(/calendar|month/i),
      async (world) => {
        const calendar = await (await world.page()).openApp(/calendar|month/i)
        for (const day of [1, 15, 28]) await calendar.shows(new RegExp(`\\b${day}\\b`), `day ${day} is not shown`)
      },
      async (world) => {
        const page = await world.page()
        const calendar = await page.openApp(/calendar|month/i)
        await calendar.press(/^15\b|\b15\b/)
        await calendar.fill('dentist at nine')
        await calendar.submit()
        await new Promise((resolve) => setTimeout(resolve, SAVED_MS))
        await page.reload()
        const again = await page.openApp(/calendar|month/i)
        await again.press(/\b15\b/)
        await again.shows(/dentist at nine/, 'the note of the day is gone after the page was loaded again')
      },
    ],
  },
]
