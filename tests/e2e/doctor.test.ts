import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { choirHere, startSupervisor } from '../support/choir.ts'
import { removeFoldersAfterEach, temporaryFolder } from '../support/home.ts'

removeFoldersAfterEach()

interface Finding {
  readonly about: string
  readonly state: string
  readonly is: string
  readonly todo: string | null
}

async function doctor(
  home: string,
): Promise<{ code: number | null; of: (about: string) => Finding | undefined; all: readonly Finding[] }> {
  const outcome = await choirHere(home, ['doctor', '--json'])
  const { findings } = outcome.json() as { findings: Finding[] }
  return { code: outcome.code, of: (about) => findings.find((finding) => finding.about === about), all: findings }
}

test('with nothing there the doctor says what the machine has, and makes nothing', async () => {
  const home = join(temporaryFolder(), 'home')
  const { code, all, of } = await doctor(home)
  expect(code).toBe(0)
  expect(all.map(({ about }) => about)).toEqual([
    'node',
    'git',
    'sandbox',
    'limits',
    'kvm',
    'browser',
    'disk',
    'inodes',
    'port',
    'toolchain',
    'home',
    'model',
  ])
  expect(of('home')?.is).toBe(`${home} is made at the first start`)
  expect(existsSync(home)).toBe(false)
})

test('computers and the model are told, whether ChoirOS runs or not, and never the key', async () => {
  const home = temporaryFolder()
  await choirHere(home, ['computer', 'add', 'mine'])
  await choirHere(
    home,
    ['model', 'set', '--provider', 'anthropic', '--model', 'some-model', '--key', '-'],
    'sk-secret-of-mine',
  )
  const still = await doctor(home)
  expect([still.of('computer'), still.of('home')]).toMatchObject([
    { state: 'ok', is: expect.stringMatching(/^mine/) },
    { is: `${home}: nothing is running` },
  ])
  expect(still.of('model')).toMatchObject({ state: 'ok', is: expect.stringContaining('with a key') })
  const supervisor = await startSupervisor(home)
  try {
    expect((await doctor(home)).of('home')?.is).toBe(`${home}: ChoirOS is running (process ${supervisor.pid})`)
    expect(JSON.stringify(await doctor(home))).not.toContain('sk-secret')
  } finally {
    await supervisor.stop()
  }
})

test('a model without its key, a damaged computer and a home that cannot be locked are bad, with what to do', async () => {
  const home = temporaryFolder()
  await choirHere(home, ['computer', 'add', 'mine'])
  for (const text of ['one', 'two']) await choirHere(home, ['write', 'artifacts/a.txt'], text)
  await choirHere(home, ['model', 'set', '--provider', 'anthropic', '--model', 'some-model'])
  expect((await doctor(home)).of('model')).toMatchObject({ state: 'bad', todo: expect.stringContaining('--key -') })

  const [id = ''] = readdirSync(join(home, 'computers'))
  const log = join(home, 'computers', id, 'log.sqlite')
  truncateSync(log, Math.floor(statSync(log).size / 2))
  const damaged = await doctor(home)
  expect([damaged.code, damaged.of('computer')]).toEqual([
    1,
    expect.objectContaining({ state: 'bad', todo: expect.stringContaining('recover') }),
  ])

  writeFileSync(
    join(home, 'lock.sqlite'),
    'this is no lock at all, and long enough to be looked at as a database'.repeat(20),
  )
  const unusable = await doctor(home)
  expect([unusable.code, unusable.of('home')]).toEqual([
    1,
    expect.objectContaining({ state: 'bad', is: expect.stringContaining('cannot be locked') }),
  ])
})

test('stop --all ends one that refuses this command line', async () => {
  const home = temporaryFolder()
  const supervisor = await startSupervisor(home)
  const token = readFileSync(join(home, 'token'), 'utf8')
  writeFileSync(join(home, 'token'), token.replaceAll(/\w/g, 'x'))
  expect(await choirHere(home, ['stop'])).toMatchObject({ code: 1 })
  expect(await choirHere(home, ['stop', '--all'])).toMatchObject({ code: 0, text: 'ChoirOS has ended\n' })
  await supervisor.stop()
})
