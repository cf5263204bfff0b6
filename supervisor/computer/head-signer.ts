import type { Head } from '@choiros/ports/event-log/event-log.ts'
import { toStorageError } from '@choiros/ports/storage-error.ts'
import { writeDurably } from '../signing/durable-file.ts'
import type { HeadRecord } from '../signing/head-record.ts'
import type { SignedHead } from '../signing/signing.ts'
import type { ComputerIdentity, Machine } from './machine.ts'

export interface HeadSignerOptions {
  readonly identity: ComputerIdentity
  readonly file: string
  readonly head: () => Head
  readonly record: HeadRecord | null
  readonly machine: Pick<Machine, 'reached' | 'signer' | 'warn'>
}

export interface HeadSigner {
  sign(): SignedHead
  /**
   * Only warns where signing fails: a full disk must not keep a computer from closing, and the head that was signed
   * last stays valid.
   */
  signOnClose(): void
}

export function createHeadSigner({ identity, file, head, record, machine }: HeadSignerOptions): HeadSigner {
  const sign = () => {
    machine.reached('head.sign.before')
    const signed = machine.signer.signHead({ computer: identity.id, ...head() })
    try {
      writeDurably(file, JSON.stringify(signed), 0o600)
      record?.settle()
    } catch (error) {
      throw toStorageError(error, 'signing the head of the log')
    }
    machine.reached('head.sign.after')
    return signed
  }
  return {
    sign,
    signOnClose() {
      try {
        sign()
      } catch (error) {
        machine.warn(`the head of ${identity.name} was not signed`, error)
      }
    },
  }
}
