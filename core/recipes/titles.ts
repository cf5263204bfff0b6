import type { Language } from './languages/language.ts'
import { titleRules } from './languages/title-rules.ts'

const TITLE_CHARS_MAX = 40

/** Words that stand before a title and are not part of it. */
const LEADING = /^(?:(?:a|an|the|my|our|your|some|all|of|for|about|to|new|that|this)\s+)+(?=\S)/i
const TRAILING =
  /(?:[\s,]+(?:please|pls|thanks|thank you|down|too|as well|in there|there|in it|in|on|for me|app|window|now|somewhere|safely))+$/i

/**
 * A title made from what a person wrote: one line, no control characters, no quotes around it, short enough for a title
 * bar. It is cut between words if there are any.
 */
export function cleanTitle(text: string, charsMax = TITLE_CHARS_MAX): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replace(/^["“„«`'‘]+/u, '')
    .replace(/["”“»`'’]+$/u, '')
    .replace(/[\s,;:.!?-]+$/u, '')
    .trim()
  if (line.length <= charsMax) return line
  const cut = line
    .slice(0, charsMax - 1)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')
  const space = cut.lastIndexOf(' ')
  return `${space > charsMax / 2 ? cut.slice(0, space) : cut}…`
}

/** A title that is taken from a sentence instead of given as one: "my recipes, please" becomes "Recipes". */
export function titleFromWords(text: string, language: Language = 'en', charsMax = TITLE_CHARS_MAX): string {
  const { leading = LEADING, trailing = TRAILING } = titleRules(language) ?? {}
  const bare = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[,;:.!?\s]+$/, '')
    .replace(trailing, '')
    .replace(leading, '')
  return capitalise(cleanTitle(bare, charsMax))
}

export function capitalise(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

const SLUG_CHARS_MAX = 30

/** Lower-case letters, digits and "-": safe as a folder, a file and an id. `fallback` where nothing is left. */
export function slugOf(title: string, fallback: string): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS_MAX)
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' ? fallback : slug
}

/**
 * The same for the name of a file, which may have letters of every script: "買い物" is better than "document". Accents of
 * Latin letters are removed.
 */
export function fileSlugOf(title: string, fallback: string): string {
  const latin = title.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  if (!/[^\p{ASCII}]/u.test(latin.replaceAll(/[^\p{L}\p{N}]/gu, ''))) return slugOf(title, fallback)
  const dashed = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const slug = Array.from(dashed).slice(0, SLUG_CHARS_MAX).join('')
  const bare = slug.replaceAll(/^-+|-+$/g, '').replace(/^\p{M}+/u, '')
  return bare === '' ? fallback : bare
}

const TRIES_MAX = 200

/** The slug itself, or with the first number that makes it free. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  for (let number = 1; number <= TRIES_MAX; number++) {
    const candidate = number === 1 ? slug : `${slug}-${number}`
    if (!isTaken(candidate)) return candidate
  }
  throw new Error(`there are already ${TRIES_MAX} named ${slug}`)
}

/**
 * For the inside of a JavaScript string in single, double or back quotes; also harmless if such a string stands in JSX
 * or HTML.
 */
export function escapeForLiteral(text: string): string {
  return text.replaceAll(
    /[\\'"`$<>&{}\u2028\u2029\p{Cc}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
