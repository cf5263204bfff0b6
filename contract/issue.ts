import type { z } from 'zod'
import { ChoirError } from './error.ts'

type Issue = z.core.$ZodIssue

const TYPES: Readonly<Record<string, string>> = { object: 'an object', array: 'a list', int: 'a whole number' }

/**
 * What is wrong with a value, in words for people: the library's own messages speak of types. Our own messages are
 * passed on as they are.
 */
export function issueText(issue: Issue | undefined): string {
  if (issue === undefined) return 'it is malformed'
  switch (issue.code) {
    case 'too_big':
      return `it must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'it must not be empty'
        : `it must be at least ${String(issue.minimum)}`
    case 'invalid_type':
      return issue.input === undefined
        ? 'it is missing'
        : `it must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => JSON.stringify(key.slice(0, 40))).join(', ')} is not known here`
    case 'invalid_value':
      return `it must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return 'it has none of the shapes that are known here'
    default:
      return issue.message
  }
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : ''
}

/**
 * The error for input that does not fit its schema; `at`: where it was found. A bad path has an error code and words of
 * its own.
 */
export function inputError({ issues }: z.core.$ZodError, at: string): ChoirError {
  const issue = issues[0]
  if (issue?.code === 'custom' && issue.params?.['error'] === 'path.invalid')
    return new ChoirError('path.invalid', issue.message)
  const where = issue === undefined || issue.path.length === 0 ? at : `${at}: ${issue.path.join('.')}`
  return new ChoirError('request.invalid', `${where}: ${issueText(issue)}`)
}
