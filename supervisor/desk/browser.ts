import { existsSync } from 'node:fs'
import { BROWSERS } from '@choiros/contract/browsers.ts'

/**
 * The browser in which what a model wrote is looked at before it lands; null where this machine has none, or the person
 * wants none (`CHOIR_BROWSER=none`). It must lie below /usr, which is all of the machine that a sandbox sees.
 */
export function findBrowser(environment: Readonly<Record<string, string | undefined>> = process.env): string | null {
  const chosen = environment['CHOIR_BROWSER'] ?? ''
  if (chosen === 'none') return null
  return [...(chosen === '' ? [] : [chosen]), ...BROWSERS].find((program) => existsSync(program)) ?? null
}
