import { ROLES, type Role } from '@choiros/contract/commands/command.ts'
import type { UserId } from '@choiros/contract/ids.ts'
import type { ComputerIdentity } from '../computer/machine.ts'

/** What somebody is to a computer; null: nothing at all. Sharing a computer with other people would be decided here. */
export function roleOf(user: UserId, { user: owner }: ComputerIdentity): Role | null {
  return user === owner ? 'owner' : null
}

/** Whether a role is enough where `needed` is the lowest that may; null: no role is needed. */
export function isEnough(role: Role | null, needed: Role | null): boolean {
  return needed === null || (role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed))
}
