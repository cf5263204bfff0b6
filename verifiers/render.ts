import { chosenBrowser } from '@choiros/eyes/browser.ts'
import { openEyes, type Finding, type Look } from '@choiros/eyes/look.ts'
import { missingDesktop, report, touchedPaths, TREE, type Problem } from './report.ts'

/**
 * Opens the desktop in a real browser, and each app that was touched in a window of it. This verifier executes the
 * tree's code, so its word is only as good as that code is honest: it finds accidents.
 */
const VIEW = { width: 1280, height: 800, theme: 'dark', actions: [], picture: false } as const

const missing = missingDesktop()
report(missing.length > 0 ? missing : await problemsSeen())
process.exit()

async function problemsSeen(): Promise<Problem[]> {
  const program = chosenBrowser()
  if (program === null) return []
  const touched = touchedPaths()
  const apps = [...new Set(touched.flatMap((path) => /^app\/apps\/([^/]+)\//.exec(path)?.[1] ?? []))]
  const looks: (Look & { path: string })[] = apps.map((app) => ({ ...VIEW, app, path: `app/apps/${app}/app.tsx` }))
  if (apps.length === 0) looks.push({ ...VIEW, app: null, path: 'app/shell/desktop.tsx' })
  const eyes = await openEyes({ program, folder: TREE, scratch: '/tmp/eyes' })
  const problems: Problem[] = []
  for (const { path, ...look } of looks) {
    const { findings } = await eyes.look(look)
    problems.push(...findings.map((finding) => toProblem(finding, path)))
  }
  return unique(problems)
}

function toProblem({ message, places }: Finding, path: string): Problem {
  const [first] = places
  const stack = places
    .slice(0, 6)
    .map((place) => `${place.path}:${place.line}${place.name === '' ? '' : ` (${place.name})`}`)
  return {
    path: first?.path ?? path,
    line: first?.line ?? null,
    message: stack.length > 1 ? `${message}\nat ${stack.join('\nat ')}` : message,
  }
}

function unique(problems: readonly Problem[]): Problem[] {
  const known = new Set<string>()
  return problems.filter(({ path, line, message }) => {
    const key = `${path}:${line}:${message.split('\n')[0]}`
    return known.size < known.add(key).size
  })
}
