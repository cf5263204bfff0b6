import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openModelConfig } from './config.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'choir-models-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('[L9] a key belongs to its address: another one does not get it', () => {
  const config = openModelConfig(join(folder, 'models.json'), {})
  const mine = {
    provider: 'openai-compatible',
    url: 'https://mine.example/v1',
    fast: 'm',
    strong: 'm',
    prices: null,
  } as const
  config.set({ ...mine, key: 'sk-1' })
  expect(() => config.set({ ...mine, url: 'https://other.example/v1', key: null })).toThrow(/belongs to the address/)
  expect(() => config.set({ ...mine, url: null, key: null })).toThrow(/belongs to the address/)
  expect(config.access('strong')).toMatchObject({ url: mine.url, key: 'sk-1' })
  config.set({ ...mine, strong: 'larger', key: null })
  expect(config.access('strong')).toMatchObject({ key: 'sk-1', model: 'larger' })
  config.set({ ...mine, provider: 'anthropic', url: null, key: null })
  expect(config.access('strong')).toMatchObject({ provider: 'anthropic', key: null })
  config.set({ ...mine, url: 'https://other.example/v1', key: 'sk-2' })
  expect(openModelConfig(join(folder, 'models.json'), {}).access('fast')).toMatchObject({
    url: 'https://other.example/v1',
    key: 'sk-2',
  })
})
