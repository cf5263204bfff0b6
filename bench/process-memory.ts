import { readFileSync } from 'node:fs'

/** The most memory this process ever held. */
export function peakMebibytes(): number {
  return statusMebibytes('VmHWM')
}

export function residentMebibytes(): number {
  return statusMebibytes('VmRSS')
}

function statusMebibytes(name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(line?.[1] ?? Number.NaN) / 1024
}
