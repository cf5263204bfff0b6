import { expect, test } from 'vitest'
import { ComputerId, ComputerName, UserId } from '@choiros/contract/ids.ts'
import { chooseComputer, shownName } from './computer-names.ts'

const USER = 'k3xq7w2m'
const card = (name: string, madeMs: number) => ({
  id: ComputerId.parse(`id-${name}`),
  name: ComputerName.parse(name),
  user: UserId.parse(USER),
  madeMs,
})

test('without a name the first computer is meant: the one named by its owner’s id, else the oldest', () => {
  expect(chooseComputer([card('copy', 1), card(USER, 5)], null).name).toBe(USER)
  expect(chooseComputer([card('b', 2), card('a', 3), card('c', 1)], null).name).toBe('c')
  expect(() => chooseComputer([], null)).toThrow('there is no computer yet')
})

test('the first computer has a name that can be read and said, and never that of another', () => {
  const first = card(USER, 1)
  const own = [first, card('desk', 2)]
  expect(own.map((one) => shownName(one, own))).toEqual(['my-computer', 'desk'])
  for (const said of ['my-computer', USER, first.id]) expect(chooseComputer(own, said)).toBe(first)
  const crowded = [first, card('my-computer', 2), card('my-computer-2', 3)]
  expect(crowded.map((one) => shownName(one, crowded))).toEqual(['my-computer-3', 'my-computer', 'my-computer-2'])
  expect(chooseComputer(crowded, 'my-computer').name).toBe('my-computer')
  expect(() => chooseComputer(own, 'nobody')).toThrow('there is no computer called "nobody"')
})

test('[L10] an id leads to its own computer, also where another is named like it', () => {
  const [meant, named] = [card('meant', 1), card('id-meant', 2)]
  expect(chooseComputer([named, meant], 'id-meant')).toBe(meant)
})
