import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { PLACES } from '@choiros/supervisor/computer/places.ts'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { openTestHome, removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'
import { fillHome, write } from './damage.ts'

removeFoldersAfterEach()

const logOf = (home: string) => join(home, 'computers', readdirSync(join(home, 'computers'))[0] ?? '', PLACES.log)
const placeOf = (home: string, place: keyof typeof PLACES) => join(logOf(home), '..', PLACES[place])

function cutTail(home: string, events: number): void {
  new Database(logOf(home)).exec(`DELETE FROM event WHERE seq > (SELECT max(seq) FROM event) - ${events}`).close()
}

async function filledHome(): Promise<string> {
  const folder = temporaryFolder()
  const own = openTestHome(folder)
  await fillHome(own)
  await own.close()
  return folder
}

describe('a log whose newest events are gone', () => {
  test('is found against the signed head: writes are refused, reads too, and verify says no', async () => {
    const folder = await filledHome()
    cutTail(folder, 1)
    const own = openTestHome(folder)
    const refused = { code: 'log.truncated' }
    await expect(own.run('files.change', { operations: [write('x', 'x')] })).rejects.toMatchObject(refused)
    await expect(own.run('tree', { at: null })).rejects.toMatchObject(refused)
    expect(await own.run('verify', {})).toMatchObject({ ok: false, problems: [refused] })
    expect(await own.run('computer.list', {})).toMatchObject([{ state: 'damaged' }])
    await own.close()
    const again = openTestHome(folder)
    await expect(again.run('files.change', { operations: [write('x', 'x')] })).rejects.toMatchObject(refused)
    await again.close()
  })

  for (const [how, spoil] of [
    ['gone', (file: string) => rmSync(file)],
    ['damaged', (file: string) => writeFileSync(file, '{"seq":')],
  ] as const) {
    test(`is found against the newest checkpoint in git where the signed head is ${how}`, async () => {
      const folder = await filledHome()
      cutTail(folder, 2) // The checkpoint and what came after it.
      spoil(placeOf(folder, 'head'))
      const own = openTestHome(folder)
      await expect(own.run('tree', { at: null })).rejects.toMatchObject({ code: 'log.truncated' })
      await own.close()
    })
  }

  test('is found where another history took its place', async () => {
    const folder = await filledHome()
    const db = new Database(logOf(folder))
    db.exec("UPDATE event SET hash = x'00' WHERE seq = (SELECT max(seq) FROM event)")
    db.close()
    const own = openTestHome(folder)
    await expect(own.run('tree', { at: null })).rejects.toMatchObject({ code: 'log.truncated' })
    await own.close()
  })

  test('is found while the computer is running', async () => {
    const folder = temporaryFolder()
    const own = openTestHome(folder, { warn: () => {} })
    await fillHome(own)
    cutTail(folder, 1)
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(own.run('files.change', { operations: [write('x', 'x')] })).rejects.toMatchObject({
        code: 'log.truncated',
      })
    }
    expect(await own.run('verify', {})).toMatchObject({ ok: false })
    await own.close()
  })

  test('is found where the whole file is gone', async () => {
    const folder = await filledHome()
    rmSync(logOf(folder))
    const own = openTestHome(folder)
    await expect(own.run('files.change', { operations: [write('x', 'x')] })).rejects.toMatchObject({
      code: 'log.truncated',
    })
    expect(await own.run('verify', {})).toMatchObject({ ok: false })
    await own.close()
  })

  test('can be rescued up to its last event, as its message says, by the command line', async () => {
    const folder = await filledHome()
    const before = openTestHome(folder)
    const { seq } = (await before.computer()).head()
    const tree = await before.run('tree', { at: (seq - 1) as never })
    await before.close()
    cutTail(folder, 1)
    const file = join(temporaryFolder(), 'rescued.choir')
    const refused = await choirHere(folder, ['ls'])
    expect(refused.code).toBe(1)
    expect(refused.error).toContain('choir export FILE --rescue')
    expect((await choirHere(folder, ['verify'])).code).toBe(1)
    expect((await choirHere(folder, ['export', file])).code).toBe(1)
    const rescued = await choirHere(folder, ['export', file, '--rescue', '--json'])
    expect(rescued.json()).toEqual({ file, events: seq - 1, lost: 0, problem: null })
    expect((await choirHere(folder, ['import', file, '--name', 'rescued'])).code).toBe(0)
    const result = await choirHere(folder, ['tree', '--json', '--computer', 'rescued'])
    expect(result.json()).toMatchObject({ hash: tree.hash, files: tree.files })
    expect((await choirHere(folder, ['verify', '--computer', 'rescued'])).code).toBe(0)
    expect(readdirSync(join(folder, 'tmp'))).toEqual([])
  })
})

describe('a rescue', () => {
  test('ends before the first damaged event and knows lost files as erased', async () => {
    const folder = await filledHome()
    const db = new Database(logOf(folder))
    const { last } = db.prepare('SELECT max(seq) AS last FROM event').get() as { last: number }
    db.prepare('UPDATE event SET bytes = ? WHERE seq = ?').run(Buffer.from('damaged'), last - 2)
    db.close()
    for (const name of readdirSync(placeOf(folder, 'objects')).filter((object) => object.length === 64)) {
      const objects = placeOf(folder, 'objects')
      if (readdirSync(objects).indexOf(name) === 0) writeFileSync(join(objects, name), 'damaged')
    }
    const supervisor = await startSupervisor(folder)
    const file = join(temporaryFolder(), 'rescued.choir')
    const rescued = (await choirHere(folder, ['export', file, '--rescue', '--json'])).json() as {
      events: number
      lost: number
      problem: string
    }
    expect(rescued.problem).toContain('is damaged')
    expect(rescued.events).toBeLessThan(last - 2)
    expect((await choirHere(folder, ['import', file, '--name', 'rescued'])).error).toBe('')
    expect((await choirHere(folder, ['verify', '--computer', 'rescued'])).code).toBe(0)
    expect(await supervisor.stop()).toBe(0)
  })

  test('of a whole computer is the whole computer', async () => {
    const folder = await filledHome()
    const file = join(temporaryFolder(), 'rescued.choir')
    expect((await choirHere(folder, ['export', file, '--rescue'])).error).toBe('')
    const elsewhere = temporaryFolder()
    expect((await choirHere(elsewhere, ['import', file])).error).toBe('')
    const [here, there] = await Promise.all(
      [folder, elsewhere].map(async (home) => (await choirHere(home, ['tree', '--json'])).json()),
    )
    expect((there as { hash: string }).hash).toBe((here as { hash: string }).hash)
  })
})
