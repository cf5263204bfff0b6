/** Where Debian and its relatives put a Chromium. A sandbox sees the same programs as the machine. */
export const BROWSERS: readonly string[] = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/bin/chromium',
]
