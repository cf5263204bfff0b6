import { ROLES, type Role } from '@choiros/contract/commands/command.ts'
import type { UserId } from '@choiros/contract/ids.ts'
import type { ComputerIdentity } from '../computer/machine.ts'

/** What somebody is to a computer; null: nothing at all. This is the place that learns of people who share one. */
export function roleOf(user: UserId, { user: owner }: ComputerIdentity): Role | null {
  return user === owner ? 'owner' : null
}

/** Whether a role may do what another one is needed for; what needs none is asked of nobody. */
export function isEnough(role: Role | null, needed: Role | null): boolean {
  return needed === null || (role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed))
}
