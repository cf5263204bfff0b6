import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Computer } from '@choiros/supervisor/computer/computer.ts'
import { startByHand, type ByHand } from '../../evals/by-hand.ts'
import { removeFolders, temporaryFolder } from '../support/home.ts'
import { openRunHome, type RunHome } from '../support/run-home.ts'

const APP = `import { defineApp } from '@choiros/sdk/app.ts'

export default defineApp({ id: 'kite', title: 'Kite', glyph: '◇', size: { width: 320, height: 240 }, Content: () => <p>A red kite</p> })
`

describe('a person who plays the model, by files', { timeout: 90_000 }, () => {
  let hand: ByHand
  let home: RunHome
  let computer: Computer
  const folder = temporaryFolder()
  const told: string[] = []

  beforeAll(async () => {
    hand = await startByHand(folder, { told: (line) => told.push(line) })
    home = openRunHome(temporaryFolder(), { modelUrl: hand.url, modelProvider: 'openai-compatible' })
    computer = await home.addComputer('desk')
  }, 120_000)
  afterAll(async () => {
    await home?.close()
    await hand?.close()
    removeFolders()
  })

  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  const put = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  const until = async (name: string) => {
    for (let waits = 0; waits < 600; waits++) {
      if (existsSync(join(folder, name))) return text(name)
      await delay(50)
    }
    throw new Error(`no ${name}; there is ${readdirSync(folder).join(', ')}`)
  }

  test('reads requests as texts, answers in files, mends an answer that cannot be used, and what they did lands', async () => {
    const running = home.prompt(computer, 'build me an app that shows a red kite in the sky')
    const first = await until('001-request.md')
    expect(first).toMatch(/^# 001: the Director asks\n\n\d+ messages, 0 of them shown before\./)
    expect(first).toContain('### edit\n')
    expect(first).toContain('build me an app that shows a red kite')

    put('001-answer.json', { uses: [{ name: 'fly', input: {} }] })
    expect(await until('001-problem.txt')).toMatch(/^there is no tool fly; there are .*edit/)
    expect(existsSync(join(folder, '001-answer.json'))).toBe(false)
    put('001-answer.json', { uses: [{ name: 'edit', input: { instruction: 'make an app that shows a red kite' } }] })

    expect(await until('002-request.md')).toMatch(/^# 002: an Associate asks/)
    put('002-answer.json', {
      text: 'I write it.',
      uses: [{ name: 'write', input: { path: 'app/apps/kite/app.tsx', text: APP } }],
    })
    const third = await until('003-request.md')
    expect(third).toMatch(/^# 003: an Associate asks\n\n\d+ messages, [1-9]\d* of them shown before\./)
    expect(third).not.toContain('### write')
    expect(third).toContain('## tool (call-002-0)')
    put('003-answer.md', 'There is an app called Kite now.\n')

    // Whoever asks next: the Director for its last word, or somebody who judges what was made.
    for (let name = 4; name < 8; name++) {
      const asked = await Promise.race([until(`00${name}-request.md`), running.then(() => '')])
      if (asked === '') break
      put(`00${name}-answer.md`, 'You have a red kite in the taskbar.')
    }
    const run = await running
    expect([run.status, run.reply]).toEqual(['landed', expect.stringContaining('red kite')])
    expect(await home.read(computer, 'app/apps/kite/app.tsx')).toBe(APP)
    expect(told).toContain('001: the Director asks; answer in 001-answer.md or 001-answer.json')
    expect(JSON.parse(text('001-request.json'))).toMatchObject({ stream: true, model: expect.any(String) })
  })

  test('a call that nobody waits for is told so, pictures are files, and earlier files are never answered again', async () => {
    const again = await startByHand(folder)
    const ask = (body: object, signal?: AbortSignal) =>
      fetch(`${again.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) })
    const taken = readdirSync(folder).filter((name) => name.endsWith('-request.md')).length
    const next = (more: number) => String(taken + more).padStart(3, '0')
    const picture = Buffer.from('a picture').toString('base64')
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
        ],
      },
    ]
    const answered = ask({ messages })
    expect(await until(`${next(1)}-request.md`)).toContain(`![a picture](${next(1)}-picture-1.png)`)
    expect(text(`${next(1)}-picture-1.png`)).toBe('a picture')
    put(`${next(1)}-answer.md`, 'A kite.')
    expect(await (await answered).json()).toMatchObject({
      choices: [{ message: { content: 'A kite.' }, finish_reason: 'stop' }],
    })

    const leaving = new AbortController()
    const left = ask({ messages, stream: true }, leaving.signal).catch(() => 'gone')
    await until(`${next(2)}-request.md`)
    leaving.abort()
    await left
    expect(await until(`${next(2)}-gone.txt`)).toContain('Nobody waits')
    await again.close()
  })
})
