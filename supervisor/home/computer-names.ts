import { ChoirError } from '@choiros/contract/error.ts'
import { ComputerName } from '@choiros/contract/ids.ts'
import type { ComputerIdentity } from '../computer/machine.ts'

/**
 * A person's first computer is named by their opaque id, so that no subject of anyone else can be the same (DESIGN §6).
 * Such a name means nothing to a person, so this one is shown instead.
 */
const FIRST = 'my-computer'

/** The name that a person reads and may use; with a number where they gave this name to another computer. */
export function shownName(card: ComputerIdentity, own: readonly ComputerIdentity[]): ComputerName {
  if (card.name !== (card.user as string)) return card.name
  const isTaken = (name: string) => own.some((other) => other.name === name)
  let shown = FIRST
  for (let number = 2; isTaken(shown); number++) shown = `${FIRST}-${number}`
  return ComputerName.parse(shown)
}

/** By id, name or shown name; null means the person's first one. */
export function chooseComputer<Known extends ComputerIdentity & { readonly madeMs: number }>(
  own: readonly Known[],
  computer: string | null,
): Known {
  if (computer === null) {
    const first =
      own.find(({ name, user }) => name === (user as string)) ??
      own.toSorted((a, b) => a.madeMs - b.madeMs || (a.id < b.id ? -1 : 1))[0]
    if (first === undefined)
      throw new ChoirError('computer.unknown', 'there is no computer yet: "choir computer add NAME" makes one')
    return first
  }
  const found =
    own.find(({ id }) => id === computer) ??
    own.find(({ name }) => name === computer) ??
    own.find((card) => shownName(card, own) === computer)
  if (found === undefined)
    throw new ChoirError(
      'computer.unknown',
      `there is no computer called ${JSON.stringify(computer.slice(0, 60))}; "choir computer list" shows them`,
    )
  return found
}
