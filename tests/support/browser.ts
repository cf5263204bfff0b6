import { chromium, type Browser } from 'playwright-core'
import { CHROMIUM } from './chromium.ts'

export function launchChromium(): Promise<Browser> {
  return chromium.launch(CHROMIUM)
}
