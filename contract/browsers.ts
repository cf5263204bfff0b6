/**
 * Where distributions put the Chromium itself. A sandbox sees the same programs as the machine, but not its /etc:
 * /usr/bin/chromium is often a script that reads settings there, and ends where it finds none.
 */
export const BROWSERS: readonly string[] = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/usr/bin/chromium',
]
