import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { openCdp, type Cdp } from './cdp.ts'

/**
 * A headless Chromium, inside of a sandbox that is stronger than its own could be there: its own needs user namespaces,
 * which ours refuses, so it is switched off. What runs in it is hostile; there is no network, and nothing to write to.
 */
export interface Browser {
  readonly cdp: Cdp
  close(): void
}

/** The program is not there, or does not run here. */
export class NoBrowser extends Error {}

/** The one that the supervisor has found; null: there is none. */
export function chosenBrowser(): string | null {
  const chosen = process.env['CHOIR_BROWSER'] ?? 'none'
  return chosen === 'none' ? null : chosen
}

const ARGUMENTS = [
  '--headless',
  // By pipes and not by a port: any page could speak to a port on this side.
  '--remote-debugging-pipe',
  '--no-sandbox',
  // The zygote would set up a sandbox of its own, and waits for ever where it may not.
  '--no-zygote',
  '--disable-gpu',
  // /dev/shm is small here, and a renderer that finds it full dies without a word.
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  // Each process that it does not start is a tenth of a second: the graphics and the network run in its first one, and
  // no renderer is kept ready for a site that nobody will open.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--disable-features=SpareRendererForSitePerProcess,AudioServiceOutOfProcess,Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider',
  '--no-startup-window',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--password-store=basic',
]

/** `folder`: for its profile and its fonts' cache; nothing else can be written. */
export function startBrowser(program: string, folder: string): Browser {
  mkdirSync(folder, { recursive: true })
  const fonts = join(folder, 'fonts.conf')
  writeFileSync(fonts, FONTS.replace('CACHE', join(folder, 'fonts')))
  const child = spawn(program, [...ARGUMENTS, `--user-data-dir=${join(folder, 'profile')}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { HOME: folder, TMPDIR: folder, FONTCONFIG_FILE: fonts, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
  })
  child.once('error', () => {}) // Whoever waits for an answer is told by the pipe that it is gone.
  const close = () => void child.kill('SIGKILL')
  // Its standard output is nobody's: what a page makes it write there must not stand beside a verdict.
  return { cdp: openCdp(child.stdio[3] as Writable, child.stdio[4] as Readable, close), close }
}

/**
 * A sandbox has an /etc of its own, in which fonts are not known; which of them is meant by `sans-serif` or `system-ui`
 * is told by these files, without which everything would be shown with serifs.
 */
const FONT_RULES = ['45-generic', '45-latin', '49-sansserif', '60-generic', '60-latin']
  .map((name) => `<include ignore_missing="yes">/usr/share/fontconfig/conf.avail/${name}.conf</include>`)
  .join('')
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><cachedir>CACHE</cachedir>${FONT_RULES}</fontconfig>
`
