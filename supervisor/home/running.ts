import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNNING_NAME, type Running, type RunningProcess } from '@choiros/contract/home-folder.ts'

/** A note for people and for `choir stop`; the lock, not this, says whether a home is held. */
export function noteRunning(home: string, { isKept, address }: { isKept: boolean; address: string | null }): void {
  const note: Running = { ...processOf(process.pid), keeper: isKept ? processOf(process.ppid) : null, address }
  const file = join(home, RUNNING_NAME)
  writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export function forgetRunning(home: string): void {
  rmSync(join(home, RUNNING_NAME), { force: true })
}

/** In words, for a person who finds the home locked. */
export function runningText(home: string): string {
  try {
    const { pid, address } = JSON.parse(readFileSync(join(home, RUNNING_NAME), 'utf8')) as Running
    return ` (process ${pid}${address === null ? '' : `, ${address}`})`
  } catch {
    return ''
  }
}

function processOf(pid: number): RunningProcess {
  // The name in parentheses may hold anything; the start time is the 20th field after it.
  return {
    pid,
    started:
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? '',
  }
}
