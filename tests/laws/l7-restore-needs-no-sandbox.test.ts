import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { describe, expect, test } from 'vitest'
import { choirHere } from '../support/choir.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

describe('L7 restore needs no sandbox', () => {
  test('[L7] with nothing left but log and objects, and nothing running, every file of any point comes back', async () => {
    const home = temporaryFolder()
    await choirHere(home, ['write', 'artifacts/a.txt'], 'first\n')
    await choirHere(home, ['write', 'artifacts/large.bin'], Buffer.alloc(300_000, 7))
    const good = (await choirHere(home, ['tree', '--json'])).json() as { hash: string; seq: number }
    await choirHere(home, ['rm', 'artifacts'])
    const [id = ''] = readdirSync(join(home, 'computers'))
    const folder = join(home, 'computers', id)
    for (const name of readdirSync(folder)) {
      if (!([PLACES.log, PLACES.objects, 'computer.json'] as string[]).includes(name))
        rmSync(join(folder, name), { recursive: true })
    }

    const restored = await choirHere(home, ['restore', String(good.seq)])
    expect([restored.code, restored.error]).toEqual([0, ''])
    expect(((await choirHere(home, ['tree', '--json'])).json() as { hash: string }).hash).toBe(good.hash)
    expect(readFileSync(join(folder, PLACES.tree, 'artifacts/a.txt'), 'utf8')).toBe('first\n')
    expect(readFileSync(join(folder, PLACES.tree, 'artifacts/large.bin'))).toHaveLength(300_000)
    expect((await choirHere(home, ['verify'])).code).toBe(0)
  })

  test('[L7] a home that is moved elsewhere, log and objects only, is the same computer', async () => {
    const home = temporaryFolder()
    await choirHere(home, ['write', 'artifacts/a.txt'], 'first\n')
    const before = (await choirHere(home, ['tree', '--json'])).json()
    const [id = ''] = readdirSync(join(home, 'computers'))
    rmSync(join(home, 'computers', id, PLACES.tree), { recursive: true })
    rmSync(join(home, 'keys'), { recursive: true })
    rmSync(join(home, 'computers', id, PLACES.state))
    expect((await choirHere(home, ['tree', '--json'])).json()).toEqual(before)
    // Before anything else is asked: verify would mend the files.
    expect(existsSync(join(home, 'computers', id, PLACES.tree, 'artifacts/a.txt'))).toBe(true)
    expect((await choirHere(home, ['verify'])).code).toBe(0)
  })
})
