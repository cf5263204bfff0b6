import type { OutputOf } from '@choiros/contract/commands.ts'
import { ChoirError } from '@choiros/contract/error.ts'
import type { Links } from '../home/links.ts'
import type { ModelConfig } from '../models/config.ts'
import type { ModelGateway } from '../models/model-gateway.ts'
import { RELEASE } from '../release.ts'
import { userDraft, type ComputerCommand, type HomeCommand, type HomeCommandName } from './context.ts'

export type BudgetCommandName = 'budget.get' | 'budget.set'

/** What belongs to the whole supervisor, not to one computer. */
export interface Services {
  readonly onDemand: boolean
  readonly links: Links | null
  readonly models: { readonly config: ModelConfig; readonly gateway: ModelGateway } | null
  sandboxes: () => OutputOf<'status'>['sandboxes']
  /** Where the front door says it is. */
  address: string | null
  readonly announced: (address: string) => void
}

export const QUIET_SERVICES: Services = {
  onDemand: false,
  links: null,
  models: null,
  sandboxes: () => [],
  address: null,
  announced: () => {},
}

export function modelsOf({ models }: Services): NonNullable<Services['models']> {
  if (models === null) throw new ChoirError('model.none', 'there are no models here')
  return models
}

export function budgetCommands(budget: () => ModelGateway['budget']): {
  readonly [Name in BudgetCommandName]: ComputerCommand<Name>
} {
  return {
    'budget.get': async ({ computer }) => budget().view(computer),
    'budget.set': async (context, caps) => {
      await budget().setCaps(context.computer, caps, (definition, data) => userDraft(context, definition, data))
      return budget().view(context.computer)
    },
  }
}

export function homeCommands(services: Services): { readonly [Name in HomeCommandName]: HomeCommand<Name> } {
  const links = () => {
    if (services.links === null)
      throw new ChoirError('supervisor.unreachable', 'ChoirOS is not running: "npm start" starts it')
    return services.links
  }
  const models = () => modelsOf(services)
  return {
    'status': async ({ home, user }) => ({
      ok: true,
      release: RELEASE,
      pid: process.pid,
      home: home.folder,
      user,
      running: !services.onDemand,
      address: services.address,
      sandboxes: services.sandboxes(),
      computers: await home.list(user),
    }),
    'computer.add': ({ home, user }, { name }) => home.add(user, name),
    'computer.list': ({ home, user }) => home.list(user),
    'link.create': async ({ user }) => {
      const { code, expiresMs } = links().create(user)
      return { code, expiresMs, url: services.address === null ? null : `${services.address}/sign-in#${code}` }
    },
    'link.redeem': async (_, { code }) => ({ user: links().redeem(code) }),
    'model.set': async (_, input) => models().config.set(input),
    'model.list': async () => {
      const view = models().config.view()
      return view === null ? [] : [view]
    },
    'model.remove': async () => {
      models().config.remove()
      return {}
    },
    'model.test': async (_, { tier }) => models().gateway.test(tier),
    'gateway.announce': async (_, { origin }) => {
      services.address = origin
      services.announced(origin)
      return { release: RELEASE }
    },
  }
}
