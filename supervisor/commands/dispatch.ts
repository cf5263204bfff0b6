import { COMMANDS, isCommandName, type CommandName, type InputOf, type OutputOf } from '@choiros/contract/commands.ts'
import type { Caller, Role } from '@choiros/contract/commands/command.ts'
import { ChoirError, hasCode, DAMAGE } from '@choiros/contract/error.ts'
import { inputError } from '@choiros/contract/issue.ts'
import { ComputerName, type UserId } from '@choiros/contract/ids.ts'
import type { Progress } from '@choiros/contract/routes.ts'
import type { ComputerIdentity, Machine } from '../computer/machine.ts'
import type { Home } from '../home/home.ts'
import { isEnough, roleOf } from '../home/roles.ts'
import { isTableDamage } from '../state/damage.ts'
import type {
  ComputerCommand,
  ComputerCommandName,
  ComputerContext,
  Context,
  HomeCommand,
  HomeCommandName,
} from './context.ts'
import { changeFiles, listFiles, showTree, statFile } from './files.ts'
import {
  budgetCommands,
  homeCommands,
  modelsOf,
  QUIET_SERVICES,
  type BudgetCommandName,
  type Services,
} from './home-commands.ts'
import { checkpoint, erase, listCheckpoints, previewErase } from './points.ts'
import { checkReceipt, receipt } from './receipt.ts'
import { reportFault, reportWell } from './faults.ts'
import { MEMORY_COMMANDS } from './memory.ts'
import { POLICY_COMMANDS } from './policy.ts'
import { previewRecovery, recover } from './recover.ts'
import { previewThin, showRoom, thin } from './room.ts'
import { RUN_COMMANDS } from './runs.ts'
import { fork } from './transfer.ts'
import { listUnits, previewRedo, previewRestore, previewUndo, redo, restore, undo } from './undo.ts'
import { replay, verify } from './verify.ts'
import { closeWindow, listWindows, openWindow, settleWindow } from './windows.ts'

type OpenCommandName = Exclude<ComputerCommandName, RecoveryCommandName>
type ComputerCommands = { readonly [Name in OpenCommandName]: ComputerCommand<Name> }
/** Commands about computers that may be too damaged to open. */
type RecoveryCommandName = 'recover' | 'recover.preview'

const COMPUTER_COMMANDS: { readonly [Name in Exclude<OpenCommandName, BudgetCommandName>]: ComputerCommand<Name> } = {
  ...RUN_COMMANDS,
  ...MEMORY_COMMANDS,
  ...POLICY_COMMANDS,
  'render.report': reportFault,
  'render.well': reportWell,
  'files.change': changeFiles,
  'files.list': listFiles,
  'files.stat': statFile,
  'tree': showTree,
  'undo.preview': previewUndo,
  'undo': undo,
  'undo.list': listUnits,
  'redo.preview': previewRedo,
  'redo': redo,
  'restore': restore,
  'restore.preview': previewRestore,
  'checkpoint': checkpoint,
  'checkpoint.list': listCheckpoints,
  'fork': fork,
  'erase.preview': previewErase,
  'erase': erase,
  'room': showRoom,
  'thin.preview': previewThin,
  'thin': thin,
  'verify': verify,
  'replay': replay,
  'receipt': receipt,
  'receipt.check': checkReceipt,
  'window.open': openWindow,
  'window.close': closeWindow,
  'window.settle': settleWindow,
  'window.list': listWindows,
}

interface Request {
  readonly user: UserId
  readonly caller: Caller
  readonly computer: string | null
  readonly command: string
  readonly input: unknown
}

interface OpenRequest extends Omit<Request, 'command' | 'input'> {
  /** The lowest role to the computer that may. */
  readonly needs: Role | null
  readonly makeFirst?: boolean
}

export interface Dispatcher {
  run(request: Request, progress: Progress): Promise<unknown>
  /** For the byte streams, which name a computer as commands do. */
  context(request: OpenRequest, progress: Progress): Promise<ComputerContext>
  /** For the byte streams that read tables: those that are damaged are made again first. */
  use<Result>(
    request: OpenRequest,
    progress: Progress,
    work: (context: ComputerContext) => Promise<Result>,
  ): Promise<Result>
  homeContext(request: Pick<Request, 'user' | 'caller'>, progress: Progress): Context
}

export function createDispatcher(home: Home, machine: Machine, services: Services = QUIET_SERVICES): Dispatcher {
  const ownCommands = homeCommands(services)
  const computerCommands: ComputerCommands = {
    ...COMPUTER_COMMANDS,
    ...budgetCommands(() => modelsOf(services).gateway.budget),
  }
  const homeContext: Dispatcher['homeContext'] = ({ user, caller }, progress) => ({
    home,
    machine,
    user,
    caller,
    progress,
  })
  const context: Dispatcher['context'] = async (request, progress) => {
    if (request.makeFirst === true) await makeFirst(home, request.user, request.computer)
    const session = await home.open(request.user, request.computer, progress)
    checkRole(request.user, session.identity, request.needs)
    return { ...homeContext(request, progress), session, computer: session.computer }
  }

  /** Damaged tables are no reason to refuse: they are made again, and the command is tried once more. */
  const withWholeTables = async <Result>(
    own: ComputerContext,
    work: (whole: ComputerContext) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work(own)
    } catch (error) {
      if (!isTableDamage(error)) throw error
      machine.warn(`the tables of ${own.computer.name} are damaged and are made again from its log`, error)
      const session = await home.remake(own.session)
      return work({ ...own, session, computer: session.computer, remade: true })
    }
  }
  /** `verify` must answer for a computer that is too damaged to open as well: that is what it is asked about. */
  const verifyEvenDamaged = async (request: Request, progress: Progress): Promise<OutputOf<'verify'>> => {
    try {
      const own = await context({ ...request, needs: COMMANDS.verify.role }, progress)
      own.session.onlyHere.rates.spend(request.caller, COMMANDS.verify)
      return await withWholeTables(own, (whole) => verify(whole, {}))
    } catch (error) {
      if (!(error instanceof ChoirError) || !DAMAGE.has(error.code)) throw error
      const problems = [{ code: error.code, message: error.message }]
      return { ok: false, problems, mended: [], events: 0, objects: 0, head: null, tree: null, tables: {} }
    }
  }

  return {
    context,
    use: async (request, progress, work) => withWholeTables(await context(request, progress), work),
    homeContext,
    async run(request, progress) {
      const { command, caller } = request
      if (!isCommandName(command))
        throw new ChoirError('request.invalid', `there is no command ${JSON.stringify(command)}`)
      if (!(COMMANDS[command].from as readonly Caller[]).includes(caller))
        throw new ChoirError('request.refused', `the ${caller} may not ${command}`)
      const input = parseInput(command, request.input)
      if (!COMMANDS[command].computer)
        return runHome(ownCommands, command as HomeCommandName, homeContext(request, progress), input)
      if (command === 'verify') return verifyEvenDamaged(request, progress)
      const needs = COMMANDS[command].role
      if (command === 'recover' || command === 'recover.preview') {
        checkRole(request.user, (await home.locate(request.user, request.computer)).identity, needs)
        const work = command === 'recover' ? recover : previewRecovery
        return work(homeContext(request, progress), request.computer)
      }
      const own = await context({ ...request, needs, makeFirst: command === 'files.change' }, progress)
      own.session.onlyHere.rates.spend(caller, COMMANDS[command])
      return withWholeTables(own, (whole) => runComputer(computerCommands, command as OpenCommandName, whole, input))
    },
  }
}

// The tables of commands pair each name with its own input and output; once a name is looked up, TypeScript can no
// longer see that.
function runHome<Name extends HomeCommandName>(
  commands: ReturnType<typeof homeCommands>,
  name: Name,
  context: Context,
  input: InputOf<CommandName>,
): Promise<OutputOf<Name>> {
  return (commands[name] as HomeCommand<Name>)(context, input as InputOf<Name>)
}

function runComputer<Name extends OpenCommandName>(
  commands: ComputerCommands,
  name: Name,
  context: ComputerContext,
  input: InputOf<CommandName>,
): Promise<OutputOf<Name>> {
  return (commands[name] as ComputerCommand<Name>)(context, input as InputOf<Name>)
}

/** The one door to a computer: commands and byte streams all come through it. */
function checkRole(user: UserId, identity: ComputerIdentity, needs: Role | null): void {
  if (!isEnough(roleOf(user, identity), needs))
    throw new ChoirError('request.refused', 'this computer is not yours: this needs more than you may do on it')
}

function parseInput(command: CommandName, input: unknown): InputOf<CommandName> {
  const parsed = COMMANDS[command].input.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw inputError(parsed.error, command)
}

/** A person who writes their first file should not have to make a computer first. */
async function makeFirst(home: Home, user: UserId, computer: string | null): Promise<void> {
  if (computer !== null || (await home.list(user)).length > 0) return
  await home.add(user, ComputerName.parse(user)).catch((error: unknown) => {
    if (!hasCode(error, 'computer.exists')) throw error // Two first writes at once: the other one made it.
  })
}
