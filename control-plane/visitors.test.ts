import { randomBytes } from 'node:crypto'
import { UserId } from '@choiros/contract/ids.ts'
import { openMemorySignIns } from '@choiros/ports/sign-ins/memory.fake.ts'
import { expect, test } from 'vitest'
import { createVisitors } from './visitors.ts'

const user = UserId.parse('alice')
const open = (installation: string) => createVisitors(openMemorySignIns(), installation, () => 1_000_000, randomBytes)

/** The cookies that a browser keeps for localhost: by name alone, because cookies do not depend on ports. */
function browser() {
  const jar = new Map<string, string>()
  return {
    take: (cookies: readonly string[]) => {
      for (const cookie of cookies) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
        if (cookie.endsWith('Max-Age=0')) jar.delete(name)
        else jar.set(name, value)
      }
    },
    header: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
  }
}

test('two installations on one machine do not sign each other out', () => {
  const [one, two] = [open('11111111'), open('22222222')]
  const { take, header } = browser()
  take(one.signIn(user).cookies)
  take(two.signIn(user).cookies)
  expect([one.byCookie(header())?.user, two.byCookie(header())?.user]).toEqual([user, user])
  take(one.signOut(header()).cookies)
  expect([one.byCookie(header()), two.byCookie(header())?.user]).toEqual([null, user])
})

test('a sign-in has one key, whatever its desktop is called, and another has another', () => {
  const visitors = open('11111111')
  const [first, second] = [browser(), browser()]
  first.take(visitors.signIn(user).cookies)
  second.take(visitors.signIn(user).cookies)
  const before = visitors.keyOf(first.header())
  const { label } = visitors.byCookie(first.header()) ?? {}
  visitors.relabel(first.header())
  expect(visitors.byCookie(first.header())?.label).not.toBe(label)
  expect([visitors.keyOf(first.header()), visitors.keyOf(second.header()) === before, visitors.keyOf('x=y')]).toEqual([
    before,
    false,
    null,
  ])
})

test('a sign-in lasts thirty days from when it was last seen, and not longer', () => {
  const DAY_MS = 24 * 60 * 60 * 1000
  let nowMs = 1_000 * DAY_MS
  const visitors = createVisitors(openMemorySignIns(), '11111111', () => nowMs, randomBytes)
  const { take, header } = browser()
  take(visitors.signIn(user).cookies)
  nowMs += 29 * DAY_MS
  const { label = '' } = visitors.byCookie(header()) ?? {}
  nowMs += 29 * DAY_MS
  expect([visitors.byCookie(header())?.user, visitors.byLabel(label)?.user]).toEqual([user, user])
  nowMs += 31 * DAY_MS
  expect([visitors.byCookie(header()), visitors.byLabel(label)]).toEqual([null, null])
})

test('either of the two cookies is enough, an empty one is none, and somebody else’s opens nothing', () => {
  const visitors = open('11111111')
  const [first = '', second = ''] = visitors.signIn(user).cookies.map((cookie) => cookie.split(';')[0] ?? '')
  expect([visitors.byCookie(first)?.user, visitors.byCookie(`other=1; ${second}`)?.user]).toEqual([user, user])
  expect(visitors.byCookie(`__Host-choir-11111111=; ${second}`)?.user).toBe(user)
  expect([
    visitors.byCookie(first.replace('11111111', '22222222')),
    visitors.byCookie(`${first}x`),
    visitors.byCookie(undefined),
  ]).toEqual([null, null, null])
})
