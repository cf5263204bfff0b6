/// <reference lib="dom" />
import type { Browser, Frame } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '@choiros/contract/limits.ts'
import { launchBrowser, until, type BrowserName } from '../support/browsers.ts'
import { choirHere } from '../support/choir.ts'
import { startAll, type Running } from '../support/front-door.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { lookAt } from '../support/log.ts'
import { signIn, type Person } from '../support/person.ts'
import { plant, plantAgents } from '../support/plant.ts'

const SEEN = { timeout: 40_000, interval: 200 }
/**
 * What is promised is an answer while it goes on, which it does for ever; how soon is the machine's business, and this
 * one may have other work.
 */
const ANSWERED_MS = 20_000
/** One at work, the rest in line. */
const QUEUED_MAX = LIMITS.runsQueuedMax + 1
const OPEN = ['queued', 'running']

describe.each<BrowserName>(['chromium', 'firefox'])(
  '[L8] a desktop that never stops, in %s',
  { timeout: 120_000 },
  (name) => {
    let home = ''
    let running: Running
    let browser: Browser
    let person: Person
    let log: ReturnType<typeof lookAt>

    /** How long the frame takes to answer while something goes on. */
    const frameAnswersMs = async () => {
      const start = performance.now()
      expect(await person.command('run.list', { limit: 1 })).toBeInstanceOf(Array)
      return performance.now() - start
    }

    beforeAll(async () => {
      home = temporaryFolder()
      log = lookAt(home)
      await plantAgents(home)
      running = await startAll(home)
      browser = await launchBrowser(name, { apart: true })
      await choirHere(home, ['prompt', 'make the accent teal', '--wait'])
      person = await signIn(browser, running.link)
      await log.quiet()
    }, 120_000)
    // What one of them left must not fail the next.
    beforeEach(async () => {
      if (await person.page.$eval('#ended', (ended) => !(ended as HTMLElement).hidden))
        await person.press('Load it again')
      await until(person.page, () => document.querySelector('iframe') !== null, [])
      await person.page.evaluate(() => {
        const drawer = document.getElementById('drawer')
        if (drawer?.hidden === false) document.getElementById('history')?.click()
      })
    })
    afterAll(async () => {
      browser?.process()?.kill('SIGKILL') // A page that hangs for good would not let it go.
      await running?.stop()
      removeFolders()
    })

    test('a flood of writes is cut to a trickle with a clear code, and the frame answers meanwhile', async () => {
      const before = await log.head()
      const start = Date.now()
      const flood = (await person.desktop()).evaluate(async () => {
        const codes: Record<string, number> = {}
        for (let round = 0; round < 40; round++) {
          await Promise.all(
            Array.from({ length: 25 }, async (_, index) => {
              const operation = {
                op: 'write',
                path: `artifacts/flood/${round}-${index}.txt`,
                content: { text: 'x' },
                from: null,
              }
              const body = JSON.stringify({ command: 'files.change', input: { operations: [operation] } })
              const answer = (await (await fetch('/choir/command', { method: 'POST', body })).json()) as {
                error?: { code: string }
              }
              const code = answer.error?.code ?? 'done'
              codes[code] = (codes[code] ?? 0) + 1
            }),
          )
        }
        return codes
      })
      expect(await frameAnswersMs()).toBeLessThan(ANSWERED_MS)
      const codes = await flood
      const seconds = (Date.now() - start) / 1000
      const { done = 0, 'rate.limited': refused = 0, ...other } = codes
      // A machine that takes long over them is never asked for too much at once: then none need be refused.
      expect([other, done + refused]).toEqual([{}, 1000])
      expect(done).toBeLessThanOrEqual(301 + 30 * seconds)
      expect((await log.head()) - before).toBeLessThanOrEqual(done + 2) // So many edits may also make a checkpoint.
    })

    test('a page that shouts into the live events harms only itself', async () => {
      const ended = await (
        await person.desktop()
      ).evaluate(async () => {
        const loud = new WebSocket(`${location.origin.replace('http', 'ws')}/choir/events?after=0`)
        await new Promise((resolve) => loud.addEventListener('open', resolve))
        loud.send('x'.repeat(100_000))
        return new Promise((resolve) => loud.addEventListener('close', ({ code }) => resolve(code)))
      })
      expect(ended).toBe(1009)
      expect(await frameAnswersMs()).toBeLessThan(ANSWERED_MS)
    })

    // Firefox itself makes a page wait longer after each refused connection.
    test.runIf(name === 'chromium')('a page has connections up to a number', async () => {
      const opened = await (
        await person.desktop()
      ).evaluate(async () => {
        const sockets = Array.from(
          { length: 130 },
          () => new WebSocket(`${location.origin.replace('http', 'ws')}/choir/events?after=0`),
        )
        const ends = await Promise.all(
          sockets.map(
            (socket) =>
              new Promise<boolean>((resolve) => {
                socket.addEventListener('open', () => resolve(true))
                socket.addEventListener('error', () => resolve(false))
              }),
          ),
        )
        for (const socket of sockets) socket.close()
        return ends.filter(Boolean).length
      })
      expect(opened).toBeGreaterThan(0)
      expect(opened).toBeLessThanOrEqual(100)
      expect(await frameAnswersMs()).toBeLessThan(ANSWERED_MS)
    })

    test('a desktop that prompts in a loop gets a full queue and a clear code, and Stop ends it', async () => {
      const codes = await (
        await person.desktop()
      ).evaluate(
        async (text) => {
          const told: string[] = []
          for (let round = 0; round < 80; round++) {
            const response = await fetch('/choir/command', {
              method: 'POST',
              body: JSON.stringify({ command: 'prompt', input: { text } }),
            })
            const answer = (await response.json()) as { error?: { code: string } }
            told.push(answer.error?.code ?? 'queued')
          }
          return told
        },
        plant({ writes: [], waitMs: 60_000 }),
      )
      expect([...new Set(codes)]).toEqual(['queued', 'rate.limited'])
      expect(codes.filter((code) => code === 'queued').length).toBeLessThanOrEqual(QUEUED_MAX)
      expect((await log.runs()).filter(({ status }) => OPEN.includes(status)).length).toBeLessThanOrEqual(QUEUED_MAX)
      await person.press('Stop')
      await expect.poll(async () => (await log.runs()).filter(({ status }) => OPEN.includes(status)), SEEN).toEqual([])
    })

    /** The frame's button, pressed while the page pours, and that page ended for it. */
    const pressWhile = async (pour: () => void) => {
      const { x, y } = await person.page.$eval('#history', (button) => {
        const box = button.getBoundingClientRect()
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      })
      await (await person.desktop()).evaluate(pour)
      const start = performance.now()
      await person.page.mouse.click(x, y) // A real one: a script's would not have to wait behind the messages.
      await until(person.page, () => document.getElementById('drawer')?.hidden === false, [], 2 * ANSWERED_MS)
      const pressedMs = performance.now() - start
      await until(
        person.page,
        () => document.querySelector('iframe') === null && document.getElementById('ended')?.hidden === false,
        [],
        2 * ANSWERED_MS,
      )
      return { pressedMs, endedMs: performance.now() - start }
    }

    // Firefox delivers every one of them before it lets a click through: only a page that is gone sends no more.
    test('a page that floods the frame with messages is ended, the frame’s buttons work, and it comes again when asked for', async () => {
      const { pressedMs } = await pressWhile(() => {
        const pour = () => {
          for (let count = 0; count < 5000; count++) parent.postMessage({ draft: 'x'.repeat(1000) }, '*')
          setTimeout(pour)
        }
        setTimeout(pour)
      })
      expect(pressedMs).toBeLessThan(ANSWERED_MS)
      await person.press('Load it again')
      await person.desktop()
    })

    // Chromium takes them in without a word; Firefox copies each before it does anything else.
    test.runIf(name === 'firefox')(
      'a page that holds the frame up with a few large messages is ended too',
      async () => {
        const { pressedMs, endedMs } = await pressWhile(() => {
          const pour = () => {
            const large = new ArrayBuffer(150e6)
            new Uint8Array(large).fill(1)
            parent.postMessage(large, '*', [large])
            setTimeout(pour, 15)
          }
          setTimeout(pour)
        })
        expect(Math.max(pressedMs, endedMs)).toBeLessThan(2 * ANSWERED_MS)
        await person.press('Load it again')
        await person.desktop()
      },
    )

    test('with a page full of elements the frame still answers', async () => {
      const own = await person.desktop()
      const filled = own.evaluate(() => {
        const sink = document.body.appendChild(document.createElement('div'))
        for (let round = 0; round < 100; round++)
          sink.insertAdjacentHTML('beforeend', '<p><b>more</b></p>'.repeat(1000))
        sink.remove()
      })
      expect(await frameAnswersMs()).toBeLessThan(ANSWERED_MS)
      await filled
    })

    test('while the page hangs for ever the frame undoes, and so does the rescue page in another tab', async () => {
      const accent = () => log.cat('artifacts/system/accent.json')
      const teal = await accent()
      // The newest thing, for the floods before it left some of their own.
      expect((await choirHere(home, ['prompt', 'make the accent red', '--wait'])).code).toBe(0)
      const red = await accent()
      expect([teal.includes('#008080'), red === teal]).toEqual([true, false])
      const hung = await person.desktop()
      await hang(hung)
      await person.press('Undo')
      await expect.poll(accent, SEEN).toBe(teal)
      await person.press('Redo')
      await expect.poll(accent, SEEN).toBe(red)
      const rescue = await person.context.newPage()
      await rescue.goto(`http://localhost:${running.port}/rescue`)
      await rescue.evaluate(() =>
        document.querySelector<HTMLButtonElement>('form[action="/rescue/undo"] button')?.click(),
      )
      await until(
        rescue,
        () => document.querySelector('[role=status]')?.textContent?.startsWith('Took back') === true,
        [],
      )
      expect(await accent()).toBe(teal)
      expect(await hangs(hung)).toBe(true)
    })
  },
)

/** Starts an endless loop and comes back. */
async function hang(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    setTimeout(() => {
      for (;;) Math.random()
    }, 50)
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
}

async function hangs(frame: Frame): Promise<boolean> {
  const answered = frame.evaluate(() => true).catch(() => true)
  return !(await Promise.race([answered, new Promise<false>((resolve) => setTimeout(() => resolve(false), 1000))]))
}
