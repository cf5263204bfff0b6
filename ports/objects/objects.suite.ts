import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '@choiros/contract/canonical.ts'
import { hasCode } from '@choiros/contract/error.ts'
import type { Hash } from '@choiros/contract/ids.ts'
import type { Objects } from './objects.ts'

const MAX = 1024 * 1024

/** Every rule of SPEC.md that holds for all adapters. */
export function testObjects(name: string, open: () => Promise<Objects>): void {
  const openOne = async (): Promise<Objects> => {
    const objects = await open()
    onTestFinished(() => objects.close())
    return objects
  }
  describe(`objects: ${name}`, () => {
    testPut(openOne)
    testRefusals(openOne)
    testAge(openOne)
  })
}

type OpenOne = () => Promise<Objects>

async function names(objects: Objects): Promise<Hash[]> {
  return (await objects.strays()).map((item) => item.hash).sort()
}

function testPut(openOne: OpenOne): void {
  test('[OB1] bytes given whole come back exactly, with their hash and size', async () => {
    const objects = await openOne()
    for (const bytes of [Buffer.alloc(0), Buffer.from([0, 255, 10, 13]), Buffer.alloc(200_000, 'é')]) {
      const stored = await objects.put(bytes, MAX)
      expect(stored).toEqual({ hash: sha256(bytes), size: bytes.length })
      expect((await objects.get(stored.hash))?.equals(bytes)).toBe(true)
      expect(await objects.size(stored.hash)).toBe(bytes.length)
    }
  })

  test('[OB1] bytes given in pieces are one object', async () => {
    const objects = await openOne()
    const pieces = Array.from({ length: 50 }, (_, index) => Buffer.alloc(1 + index * 100, index))
    const stored = await objects.put(Readable.from(pieces), MAX)
    const whole = Buffer.concat(pieces)
    expect(stored).toEqual({ hash: sha256(whole), size: whole.length })
    expect((await objects.get(stored.hash))?.equals(whole)).toBe(true)
  })

  test('[OB12] an object read in pieces is the same, and its size is known before', async () => {
    const objects = await openOne()
    for (const bytes of [Buffer.alloc(0), Buffer.from('short'), Buffer.alloc(900_000, 'long ')]) {
      const { hash } = await objects.put(bytes, MAX)
      const found = await objects.stream(hash)
      const pieces: Buffer[] = []
      for await (const piece of found?.pieces ?? []) pieces.push(piece)
      expect([found?.size, Buffer.concat(pieces).equals(bytes)]).toEqual([bytes.length, true])
    }
  })

  test('[OB2] what is not there is null, and erasing it does nothing', async () => {
    const objects = await openOne()
    const missing = sha256('missing')
    expect([await objects.get(missing), await objects.size(missing)]).toEqual([null, null])
    expect(await objects.stream(missing)).toBeNull()
    await objects.erase([missing])
    const { hash } = await objects.put(Buffer.from('there'), MAX)
    await objects.erase([hash])
    await objects.erase([hash, hash])
    expect([await objects.get(hash), await objects.size(hash), await objects.strays()]).toEqual([null, null, []])
  })

  test('[OB5] what was put is listed once, with its time', async () => {
    const objects = await openOne()
    const stored = []
    for (const text of ['a', 'b', 'c', 'b']) stored.push((await objects.put(Buffer.from(text), MAX)).hash)
    expect(await names(objects)).toEqual([...new Set(stored)].sort())
  })

  test('[OB7] several callers store the same bytes at once', async () => {
    const objects = await openOne()
    const bytes = Buffer.alloc(300_000, 7)
    const stored = await Promise.all(Array.from({ length: 8 }, () => objects.put(Readable.from([bytes]), MAX)))
    expect(stored).toEqual(Array.from({ length: 8 }, () => ({ hash: sha256(bytes), size: bytes.length })))
    expect(await names(objects)).toEqual([sha256(bytes)])
  })
}

function testRefusals(openOne: OpenOne): void {
  test('[OB3] one byte over the limit is refused and leaves nothing; the limit itself fits', async () => {
    const objects = await openOne()
    const tooLarge = (error: unknown) => hasCode(error, 'file.too-large')
    await expect(objects.put(Buffer.alloc(11), 10)).rejects.toSatisfy(tooLarge)
    await expect(objects.put(Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), 10)).rejects.toSatisfy(tooLarge)
    expect(await objects.strays()).toEqual([])
    expect((await objects.put(Buffer.alloc(10), 10)).size).toBe(10)
  })

  test('[OB3] a source without end is stopped at the limit', async () => {
    const objects = await openOne()
    let given = 0
    const endless = Readable.from(
      (function* () {
        for (;;) {
          given += 1000
          yield Buffer.alloc(1000)
        }
      })(),
    )
    await expect(objects.put(endless, 50_000)).rejects.toSatisfy((error) => hasCode(error, 'file.too-large'))
    expect(given).toBeLessThan(200_000)
    expect(endless.destroyed).toBe(true)
  })

  test('[OB4] a source that fails in the middle leaves nothing and its own error', async () => {
    const objects = await openOne()
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('half of it')
        throw new Error('the line went dead')
      })(),
    )
    await expect(objects.put(failing, MAX)).rejects.toThrow('the line went dead')
    expect(await objects.strays()).toEqual([])
  })
}

function testAge(openOne: OpenOne): void {
  test('[OB6] bytes stored again are one object, and young again', async () => {
    const objects = await openOne()
    const age = async () => (await objects.strays()).map((item) => item.storedMs)
    await objects.put(Buffer.from('old'), MAX)
    const [first] = await age()
    await new Promise((resolve) => setTimeout(resolve, 30))
    await objects.put(Buffer.from('old'), MAX)
    const [second, ...more] = await age()
    expect(more).toEqual([])
    expect(second as number).toBeGreaterThanOrEqual((first as number) + 20)
    expect(Math.abs(Date.now() - (second as number))).toBeLessThan(10_000)
  })
}
