import { homedir } from 'node:os'
import { ChoirError, hasCode } from '@choiros/contract/error.ts'
import { choirCommand, homeOption, LOCK_NAME } from '@choiros/contract/home-folder.ts'
import type { Ownership } from '@choiros/ports/ownership/ownership.ts'
import { runningText } from './running.ts'

/** Allows one supervisor per home. Where another one holds it, the error says what to do. */
export function holdHome(home: string, hold: () => Ownership): Ownership {
  try {
    return hold()
  } catch (cause) {
    if (hasCode(cause, 'home.locked'))
      throw new ChoirError(
        'home.locked',
        `ChoirOS is already running on ${home}${runningText(home)}. Use that one, or stop it with "${choirCommand(process.env)} stop --all${homeOption(home, homedir())}".`,
        { cause },
      )
    throw new ChoirError(
      'home.unusable',
      `the home ${home} cannot be locked: if its ${LOCK_NAME} is damaged, delete it and try again`,
      { cause },
    )
  }
}
