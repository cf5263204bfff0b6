import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { canonicalBytes, sha256 } from '@choiros/contract/canonical.ts'
import type { Signature } from '@choiros/contract/events/talk.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerId, Hash, type RunId } from '@choiros/contract/ids.ts'
import { writeDurably } from './durable-file.ts'

/**
 * A signed word that a computer's log reached a point. A log that ends earlier, or has another event there, lost
 * something.
 */
export const SignedHead = z.strictObject({
  computer: ComputerId,
  seq: z.number().int().min(0),
  hash: Hash,
  key: z.string().max(500),
  signature: z.string().max(500),
})
export type SignedHead = z.infer<typeof SignedHead>

export interface Signer {
  signHead(head: { computer: ComputerId; seq: number; hash: Hash }): SignedHead
  /** True only for a head that this home signed. */
  isOwn(head: SignedHead): boolean
  /** Signs the canonical bytes of any value: proves to agents and people that it comes from this home. */
  sign(value: unknown): Signature
  /** A cheaper mark for what only this home reads again, and writes too often for a signature. */
  mark(text: string): string
}

export function openSigner(file: string): Signer {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    writeDurably(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
  }
  const privateKey = readKey(file)
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  const markKey = sha256(privateKey.export({ type: 'pkcs8', format: 'der' }))
  return {
    signHead({ computer, seq, hash }) {
      return {
        computer,
        seq,
        hash,
        key,
        signature: sign(null, canonicalBytes({ computer, seq, hash }), privateKey).toString('base64'),
      }
    },
    isOwn: (head) => head.key === key && hasValidSignature(head),
    // Hashed twice, as in an HMAC: Node's own HMAC makes objects that cost several times as much as the hashes.
    mark: (text) => sha256(`${markKey}:${sha256(`${markKey}:${text}`)}`),
    sign: (value) => ({ key, value: sign(null, canonicalBytes(value), privateKey).toString('base64') }),
  }
}

function readKey(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file))
  } catch (cause) {
    throw new ChoirError(
      'home.unusable',
      `the signing key ${file} is damaged. Put it back from a backup, or move it away: then a new one is made, and events lost before that cannot be noticed.`,
      { cause },
    )
  }
}

export function hasValidSignature({ computer, seq, hash, key, signature }: SignedHead): boolean {
  return isSigned({ computer, seq, hash }, { key, value: signature })
}

/** The part of the Director's words that is signed: nobody else speaks to the person in its name. */
export function directorsWords(said: {
  computer: ComputerId
  run: RunId
  text: string
  offers: readonly string[]
}): object {
  const { computer, run, text, offers } = said
  return { computer, run, text, ...(offers.length === 0 ? {} : { offers: [...offers] }) }
}

/** Whether the holder of the key that is named beside the signature has signed the value. */
export function isSigned(value: unknown, { key, value: signature }: Signature): boolean {
  let publicKey: KeyObject
  try {
    publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' })
  } catch {
    return false
  }
  return (
    publicKey.asymmetricKeyType === 'ed25519' &&
    verify(null, canonicalBytes(value), publicKey, Buffer.from(signature, 'base64'))
  )
}
