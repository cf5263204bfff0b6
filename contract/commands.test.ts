import { expect, test } from 'vitest'
import { COMMANDS } from './commands.ts'
import { issueText } from './issue.ts'

test('the address of a model has a scheme that can be called', () => {
  const model = { provider: 'openai-compatible', key: null, fast: 'a', strong: 'a', prices: null }
  const said = (url: string | null) => {
    const { error } = COMMANDS['model.set'].input.safeParse({ ...model, url })
    return error === undefined ? 'fine' : issueText(error.issues[0])
  }
  expect([null, 'http://localhost:4499/v1', 'https://example.org'].map(said)).toEqual(['fine', 'fine', 'fine'])
  const refused = ['localhost:4499/v1', 'ftp://example.org', 'example.org', ''].map(said)
  for (const words of refused) expect(words).toContain('an address begins with http:// or https://')
  expect(refused).toHaveLength(4)
})
