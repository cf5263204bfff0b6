import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNNING_NAME, type Running, type RunningProcess } from '@choiros/contract/home-folder.ts'

/** The process that holds a home, as its note says; null if it is gone. */
export function findRunning(home: string): Running | null {
  try {
    const running = JSON.parse(readFileSync(join(home, RUNNING_NAME), 'utf8')) as Running
    return isAlive(running) || (running.keeper !== null && isAlive(running.keeper)) ? running : null
  } catch {
    return null
  }
}

export function isAlive({ pid, started }: RunningProcess): boolean {
  try {
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state !== 'Z' && fields[18] === started
  } catch {
    return false
  }
}
