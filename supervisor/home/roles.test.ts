import { expect, test } from 'vitest'
import { COMMANDS } from '@choiros/contract/commands.ts'
import { ROLES, type Role } from '@choiros/contract/commands/command.ts'
import { ComputerId, ComputerName, UserId } from '@choiros/contract/ids.ts'
import { isEnough, roleOf } from './roles.ts'

const ada = UserId.parse('ada')
const computer = { id: ComputerId.parse('c'), name: ComputerName.parse('desk'), user: ada }

test('[L10] a computer is its owner’s, and nobody else is anything to it', () => {
  expect([roleOf(ada, computer), roleOf(UserId.parse('bob'), computer)]).toEqual(['owner', null])
})

test('[L10] a role may do what it is needed for and what less is needed for; who is nothing may do nothing', () => {
  const may = (role: Role | null) => ROLES.filter((needed) => isEnough(role, needed))
  expect([null, ...ROLES].map(may)).toEqual([[], ['viewer'], ['viewer', 'editor'], ['viewer', 'editor', 'owner']])
})

test('[L10] whoever may only look can add no event', () => {
  const adding = Object.entries(COMMANDS).filter(([, { writes, role }]) => writes && isEnough('viewer', role))
  expect(adding.map(([name, { from }]) => [name, from])).toEqual([['health.report', ['gateway']]])
})
