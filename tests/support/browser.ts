import { chromium, type Browser } from 'playwright-core'
import { CHROMIUM } from './browser-programs.ts'

export function launchChromium(): Promise<Browser> {
  return chromium.launch(CHROMIUM)
}
