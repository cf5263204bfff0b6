import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNNING_NAME, type Running } from '@choiros/contract/home-folder.ts'

export interface Parts {
  readonly launcher: number
  readonly supervisor: number
  readonly frontDoor: number
}

/** The processes of a running home, found by the home's note and the kernel. */
export function partsOf(home: string): Parts {
  const { pid, keeper } = JSON.parse(readFileSync(join(home, RUNNING_NAME), 'utf8')) as Running
  const launcher = keeper?.pid ?? 0
  const frontDoor = childrenOf(launcher).find((one) => commandOf(one).includes('control-plane/main.ts')) ?? 0
  return { launcher, supervisor: pid, frontDoor }
}

export function isAlive(pid: number): boolean {
  return pid > 0 && !/^$|\) Z /.test(stat(pid))
}

/** All processes below one, at any depth. */
export function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function childrenOf(pid: number): number[] {
  return globSync(`/proc/${pid}/task/*/children`).flatMap((file) => read(file).split(' ').filter(Boolean).map(Number))
}

const stat = (pid: number) => read(`/proc/${pid}/stat`)

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
