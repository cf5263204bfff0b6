import { once } from 'node:events'
import { UserId } from '@choiros/contract/ids.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSupervisorClient, readText } from './supervisor-client.ts'
import { startStandIn, TOKEN, type StandIn } from './supervisor.fake.ts'

let standIn: StandIn
beforeAll(async () => void (standIn = await startStandIn()))
afterAll(() => standIn.close())

const alice = { caller: 'frame', user: UserId.parse('alice'), computer: 'c1' } as const

test('every call says by which right, in which contract, for whom and for which caller', async () => {
  await standIn.client.run(alice, 'computer.list', {})
  await standIn.client.run({ caller: 'gateway', user: null, computer: null }, 'link.redeem', { code: 'x' })
  const said = standIn.asked
    .slice(-2)
    .map(({ headers, body }) => [
      headers.authorization,
      headers['choir-contract'],
      headers['choir-caller'],
      headers['choir-user'],
      body.computer,
    ])
  expect(said).toEqual([
    [`Bearer ${TOKEN}`, '1', 'frame', 'alice', 'c1'],
    [`Bearer ${TOKEN}`, '1', 'gateway', undefined, null],
  ])
})

test('a failure comes back with its code', async () => {
  await expect(
    standIn.client.run(alice, 'undo.preview', { target: { kind: 'newest', scope: 'any' } }),
  ).rejects.toMatchObject({
    code: 'undo.nothing',
  })
})

test('an answer that is no answer is not taken for one', async () => {
  standIn.answers['room'] = { error: 'what' }
  await expect(standIn.client.run(alice, 'room', {})).rejects.toThrow('Invalid input')
})

test('where nobody listens, that is said in one sentence', async () => {
  const nobody = createSupervisorClient(`${standIn.socketPath}.not`, TOKEN)
  for (const call of [
    nobody.run(alice, 'computer.list', {}),
    nobody.dialDesk(alice),
    nobody.send(alice, 'GET', '/file'),
  ])
    await expect(call).rejects.toMatchObject({
      code: 'supervisor.unreachable',
      message: 'ChoirOS is not answering; it may still be starting',
    })
})

test('a dial gives a raw connection to the desk', async () => {
  standIn.desk = (request, response) => void response.end(`hello ${request.url}`)
  const desk = await standIn.client.dialDesk(alice)
  desk.end('GET /there HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(await readText(desk)).toContain('hello /there')
  expect(standIn.asked.at(-1)).toMatchObject({ route: '/desk?computer=c1' })
})

test('a stream is passed on as it comes, and a text has a size', async () => {
  standIn.route = (_, response) => void response.end('x'.repeat(100))
  const stream = await standIn.client.send(alice, 'GET', '/file', { path: 'a b' })
  expect(standIn.asked.at(-1)?.route).toBe('/file?path=a+b&computer=c1')
  await expect(readText(stream, 50)).rejects.toMatchObject({ code: 'file.too-large' })
  if (!stream.destroyed) await once(stream, 'close')
})
