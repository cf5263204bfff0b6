import { randomBytes } from 'node:crypto'
import { UserId } from '@choiros/contract/ids.ts'
import { openMemorySessions } from '@choiros/ports/sessions/memory.fake.ts'
import { expect, test } from 'vitest'
import { createVisitors } from './visitors.ts'

const user = UserId.parse('alice')
const open = (installation: string) => createVisitors(openMemorySessions(), installation, () => 1_000_000, randomBytes)

/** What a browser keeps for localhost: by name alone, for cookies know no ports. */
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
  expect([visitors.keyOf(first.header()), visitors.keyOf(second.header()) === before, visitors.keyOf('x=y')]).toEqual([before, false, null])
})
