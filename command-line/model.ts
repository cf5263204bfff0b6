import type { BudgetView, Caps } from '@choiros/contract/budget.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import { ModelProvider, type ModelView } from '@choiros/contract/models.ts'
import { take, type Values } from './arguments.ts'
import { given } from './given.ts'
import type { Client } from './client.ts'
import type { Command, Streams } from './command.ts'
import { printable } from './text.ts'

/**
 * Which language model the agents use. A key is best given on standard input: arguments are seen by every process of
 * the machine.
 */
export const model: Command = async ({ client, positionals, values, show, stdin }) => {
  const [action] = take(positionals, ['set, test, list, caps or remove'])
  switch (action) {
    case 'set': {
      const view = await set(client, values, stdin)
      return show(view, `${modelText(view)}\n"choir model test" sees whether it answers`)
    }
    case 'test': {
      const result = await client.run('model.test', { tier: 'strong' })
      show(result, `${result.ok ? 'it works' : 'it does not work'}: ${printable(result.message)} (${result.tookMs} ms)`)
      return result.ok
    }
    case 'list': {
      const list = await client.run('model.list', {})
      return show(
        list,
        list.length === 0
          ? 'no model yet: "choir model set" adds one; recipes work without'
          : list.map(modelText).join('\n'),
      )
    }
    case 'caps': {
      const caps = toCaps(values)
      const view =
        Object.keys(caps).length === 0 ? await client.run('budget.get', {}) : await client.run('budget.set', caps)
      return show(view, budgetText(view))
    }
    case 'remove': {
      const result = await client.run('model.remove', {})
      return show(result, 'no model is used now')
    }
    default:
      throw new ChoirError('request.invalid', '"choir model" takes set, test, list, caps or remove')
  }
}

async function set(
  client: Client,
  { provider, url, model: strong, fast, key, prices, sees }: Values,
  stdin: Streams['stdin'],
): Promise<ModelView> {
  if (strong === undefined) throw new ChoirError('request.invalid', '--model is missing: which model should be used?')
  return client.run('model.set', {
    provider: given(ModelProvider, provider ?? 'openai-compatible'),
    url: url ?? null,
    key: key === '-' ? await readKey(stdin) : (key ?? null),
    strong,
    fast: fast ?? strong,
    prices: prices === undefined ? null : toPrices(prices),
    sees: sees === true ? true : null,
  })
}

function toCaps({ run, day, total, money }: Values): Partial<Caps> {
  return {
    ...(run === undefined ? {} : { run: toNumber(run, '--run') }),
    ...(day === undefined ? {} : { day: toNumber(day, '--day') }),
    ...(total === undefined ? {} : { computer: total === 'none' ? null : toNumber(total, '--total') }),
    ...(money === undefined ? {} : { micros: money === 'none' ? null : Math.round(toNumber(money, '--money') * 1e6) }),
  }
}

/** The contract checks whether it is whole and not too large. */
function toNumber(text: string, option: string): number {
  const number = /^\d[\d_]*(\.\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : NaN
  if (Number.isNaN(number))
    throw new ChoirError('request.invalid', `${option} must be a number, not ${JSON.stringify(text.slice(0, 40))}`)
  return number
}

function budgetText({ today, computer, run, caps, priced }: BudgetView): string {
  const tokens = (used: number, cap: number | null) =>
    `${used.toLocaleString('en')} ${cap === null ? 'tokens, no cap' : `of ${cap.toLocaleString('en')} tokens`}`
  const money =
    caps.micros === null
      ? 'no cap'
      : `of ${(caps.micros / 1e6).toFixed(2)}${priced ? '' : ', not kept: no prices are known'}`
  return [
    run === null
      ? `in a run:  at most ${caps.run.toLocaleString('en')} tokens`
      : `this run:  ${tokens(run.tokens, caps.run)}`,
    `today:     ${tokens(today.tokens, caps.day)}`,
    `in all:    ${tokens(computer.tokens, caps.computer)}`,
    `money:     ${(today.micros / 1e6).toFixed(2)} today, ${money}`,
  ].join('\n')
}

async function readKey(stdin: Streams['stdin']): Promise<string> {
  let text = ''
  for await (const piece of stdin) text += String(piece)
  return text.trim()
}

function toPrices(text: string): { input: number; output: number } {
  const [input = NaN, output = NaN] = text.split(',').map(Number)
  if (!(input >= 0 && output >= 0))
    throw new ChoirError(
      'request.invalid',
      '--prices must be two numbers, such as 3,15: per million tokens read and written',
    )
  return { input, output }
}

function modelText({ provider, url, tiers, hasKey, prices }: ModelView): string {
  const cost = prices === null ? '' : `, ${prices.input} and ${prices.output} per million tokens read and written`
  const both = tiers.fast === tiers.strong ? tiers.strong : `${tiers.strong} (fast: ${tiers.fast})`
  return `${provider}${url === null ? '' : ` at ${printable(url)}`}: ${printable(both)}${hasKey ? '' : ', without a key'}${cost}`
}
