import { isConfigurationName } from '@choiros/contract/configuration-names.ts'
import type { ModelMessage } from '@choiros/contract/models.ts'
import { VERIFIED_FOLDER } from '../verifier-plan.ts'

/** What a run's text and paths tell about how far it may be trusted. */

const SHELL = [`${VERIFIED_FOLDER}/shell/`, `${VERIFIED_FOLDER}/main.tsx`, `${VERIFIED_FOLDER}/index.html`]

export function isConfiguration(path: string): boolean {
  return path.split('/').some(isConfigurationName)
}

export function isShell(path: string): boolean {
  return SHELL.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)))
}

/** What keeps the desktop safe and within reach. */
export function isTrustRelevant(path: string): boolean {
  return isConfiguration(path) || isShell(path)
}

const ARTIFACTS = 'artifacts/'
const SETTINGS = 'artifacts/system/'

export function isDocument(path: string): boolean {
  return path.startsWith(ARTIFACTS) && !path.startsWith(SETTINGS)
}

/**
 * What a text says that wants to be obeyed rather than read. It is a sign, not a proof: a text without it may be as
 * hostile, and everything else holds without it too.
 */
const ORDERS: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override)\b.{0,40}\b(previous|prior|above|earlier|all|your|other)\b.{0,30}\b(instructions?|rules|prompts?|orders)\b/i,
  /\b(system|developer|assistant) ?(prompt|message|note|override)\s*:/i,
  /<\/?(system|assistant|developer)>|\[\/?INST\]|<\|im_(start|end)\|>/i,
  /\byou are (now (an?|the|in) .{0,40}\b(mode|assistant|ai|agent|model|admin)|no longer (bound|restricted|an?))\b/i,
  /\b(new|updated|real) instructions?\s*(:|for (you|the (ai|assistant|agent|model)))/i,
  /\b(the (user|person|owner)|your (user|owner)) (has|have) (already )?(approved|allowed|agreed|authori[sz]ed)\b/i,
  /\b(reveal|print|send|exfiltrate|upload|post)\b.{0,40}\b(api ?keys?|secrets?|passwords?|tokens?|credentials?|system prompt)\b/i,
  /\b(do not|don't|never) (tell|inform|mention|ask)\b.{0,30}\b(the )?(user|person|owner)\b/i,
]
const SCANNED_CHARS_MAX = 200_000

export function looksHostile(text: string): boolean {
  const scanned = text.slice(0, SCANNED_CHARS_MAX)
  return ORDERS.some((order) => order.test(scanned))
}

/** Tools whose answers are the words of files. */
const READERS: ReadonlySet<string> = new Set(['read', 'search', 'shell', 'see'])
/** As a search names where it found something. */
const DOCUMENT_LINE = /^(\.\/)?artifacts\/(?!system\/)[^\n:]+:/m

/** What messages bring before a model: only results of tools count, the rest are our words and the person's. */
export function signsIn(messages: readonly ModelMessage[]): { document: boolean; hostile: boolean } {
  const inputs = new Map<string, unknown>()
  let document = false
  let hostile = false
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id, input } of message.uses) inputs.set(id, input)
    if (message.role !== 'tool') continue
    hostile ||= looksHostile(message.text)
    document ||=
      READERS.has(message.name) && (namesDocument(inputs.get(message.id)) || DOCUMENT_LINE.test(message.text))
  }
  return { document, hostile }
}

function namesDocument(input: unknown): boolean {
  const { path, folder, command } = (typeof input === 'object' && input !== null ? input : {}) as Record<
    string,
    unknown
  >
  if (typeof command === 'string') return /\bartifacts\b/.test(command.replaceAll(SETTINGS, ''))
  return [path, folder].some((one) => typeof one === 'string' && isDocument(one.replace(/^(\.?\/)+/, '')))
}

/** A question to be answered, and not a wish in its form: "could you …?", "how about …?". */
const ASKS =
  /^(what|which|why|how (many|much|often|old|big|large|does|do|is|are|did|was)|where|when|who|whose|is|are|does|do|did|was|were|has|have|was|welche[rs]?|warum|wie ?viele?|wo|wann|wer|quel(le)?s?|pourquoi|combien|où|quand|qui|qué|cuál(es)?|cuánt[oa]s?|dónde|cuándo|quién)(?=\s)/i
const WISHES = /^(what about|what if|why (not|don[’']?t))\b/i

export function isQuestion(text: string): boolean {
  const said = text.trim().replace(/^[¿"“]+/, '')
  return said.endsWith('?') && ASKS.test(said) && !WISHES.test(said)
}
