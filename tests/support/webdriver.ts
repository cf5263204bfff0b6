import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { webKitProgram } from './browser-programs.ts'
import { freePort } from './front-door.ts'

/** As much of WebDriver as a smoke test needs. */
export interface WebDriver {
  open(address: string): Promise<void>
  /** Into the only iframe, or back out of it. */
  intoFrame(): Promise<void>
  outOfFrame(): Promise<void>
  /** The body of a function, run in the page. */
  run<Result>(script: string): Promise<Result>
  find(selector: string): Promise<{ click(): Promise<void>; type(text: string): Promise<void> }>
  close(): Promise<void>
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const START_MS = 20_000

/** WebKitGTK's MiniBrowser, driven by Debian's WebKitWebDriver on a virtual screen. */
export async function launchWebKit(): Promise<WebDriver> {
  const binary = webKitProgram()
  if (binary === undefined) throw new Error('there is no MiniBrowser: the package libwebkit2gtk-4.1-0 brings it')
  const folder = mkdtempSync(join(tmpdir(), 'choir-webkit-'))
  // Xvfb chooses a free number itself and says it on the descriptor it is given.
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = (await once(createInterface({ input: screen.stdio[3] as NodeJS.ReadableStream }), 'line')) as [
    string,
  ]
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    detached: true, // Its browser's processes are ended with it, as one group.
    env: {
      ...process.env,
      DISPLAY: `:${number}`,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })

  const call = async <Value>(method: string, path: string, body?: unknown): Promise<Value> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
  const options = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
  const started = await untilAnswer(() =>
    call<{ sessionId: string }>('POST', '/session', { capabilities: { alwaysMatch: options } }),
  )
  const session = `/session/${started.sessionId}`
  return {
    open: (url) => call('POST', `${session}/url`, { url }),
    async intoFrame() {
      await call('POST', `${session}/frame`, {
        id: await call('POST', `${session}/element`, { using: 'css selector', value: 'iframe' }),
      })
    },
    outOfFrame: () => call('POST', `${session}/frame`, { id: null }),
    run: (script) => call('POST', `${session}/execute/sync`, { script, args: [] }),
    async find(value) {
      const found = await call<Record<string, string>>('POST', `${session}/element`, { using: 'css selector', value })
      const element = `${session}/element/${found[ELEMENT]}`
      return {
        click: () => call('POST', `${element}/click`, {}),
        type: (text) => call('POST', `${element}/value`, { text }),
      }
    },
    async close() {
      await call('DELETE', session).catch(() => {})
      if (driver.pid !== undefined) process.kill(-driver.pid, 'SIGKILL')
      screen.kill()
      await once(screen, 'exit')
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A driver that has just been started does not listen yet. */
async function untilAnswer<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (const deadline = Date.now() + START_MS; ;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > deadline) throw error
      await delay(100)
    }
  }
}
