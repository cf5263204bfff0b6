import { ChoirError } from '@choiros/contract/error.ts'
import type { ComputerName } from '@choiros/contract/ids.ts'
import { take } from './arguments.ts'
import type { Command } from './command.ts'
import { computerText } from './text.ts'

export const status: Command = async ({ client, positionals, show }) => {
  take(positionals, [])
  const answer = await client.run('status', {})
  const computers =
    answer.computers.length === 0
      ? ['no computer yet: "choir computer add NAME" makes one']
      : answer.computers.map(computerText)
  show(
    answer,
    [
      `ChoirOS ${answer.release} ${answer.running ? `is running (process ${answer.pid})` : 'is not running'}`,
      ...(answer.address === null ? [] : [`address: ${answer.address}`]),
      `home: ${answer.home}`,
      ...(answer.sandboxes.length === 0
        ? []
        : [`sandboxes: ${answer.sandboxes.map((sandbox) => sandbox.name).join(', ')}`]),
      ...computers,
    ].join('\n'),
  )
}

export const computer: Command = async ({ client, positionals, show }) => {
  const [action] = positionals
  if (action === 'list') {
    take(positionals, ['list'])
    const computers = await client.run('computer.list', {})
    return show(
      computers,
      computers.length === 0
        ? 'no computer yet: "choir computer add NAME" makes one'
        : computers.map(computerText).join('\n'),
    )
  }
  if (action !== 'add') throw new ChoirError('request.invalid', '"choir computer" takes add or list')
  const [, name] = take(positionals, ['add', 'NAME'])
  const made = await client.run('computer.add', { name: await toName(name) })
  return show(made, `made ${made.name}`)
}

export const link: Command = async ({ client, positionals, show }) => {
  take(positionals, [])
  const made = await client.run('link.create', {})
  show(made, made.url ?? 'ChoirOS runs without its front door: there is nowhere to sign in')
  return made.url !== null
}

/** Loaded late: `status` needs no schema, and loading the schemas takes longer than asking. */
async function toName(text: string | undefined): Promise<ComputerName> {
  const [{ ComputerName: schema }, { given }] = await Promise.all([
    import('@choiros/contract/ids.ts'),
    import('./given.ts'),
  ])
  return given(schema, text)
}
