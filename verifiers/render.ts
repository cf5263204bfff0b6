import type { Finding } from '@choiros/contract/look.ts'
import { LIMITS } from '@choiros/contract/limits.ts'
import { chosenBrowser, NoBrowser } from '@choiros/eyes/browser.ts'
import { openEyes, type Visited } from '@choiros/eyes/look.ts'
import { missingDesktop, report, reportPicture, touchedPaths, TREE, type Problem } from './report.ts'
import { renderOnServer } from './server-render.ts'
import { touchedApps, type Touched } from './touched-apps.ts'

/**
 * Opens the desktop in a real browser, and each app that was touched in a window of it; where there is no browser, both
 * are rendered to text. The tree's code is executed, by other processes than this one, so what is found is only as good
 * as that code is honest: it finds accidents.
 */
const VIEW = { width: 1280, height: 800 }
/** Said where pictures would only cost time. */
const WITHOUT_PICTURES = process.env['CHOIR_PICTURES'] === 'none'

const missing = missingDesktop()
if (missing.length > 0) report(missing)
else {
  const touched = touchedApps(touchedPaths())
  const visited = await inBrowser(touched)
  if (visited === null) report(await renderOnServer(touched), 'server')
  else {
    if (!WITHOUT_PICTURES) tellPictures(visited)
    report(
      unique(visited.flatMap(({ app, findings }) => findings.map((finding) => toProblem(finding, app)))),
      'browser',
    )
  }
}
process.exit()

/** Null where no browser starts. */
async function inBrowser({ apps }: Touched): Promise<Visited[] | null> {
  const program = chosenBrowser()
  if (program === null) return null
  try {
    const eyes = await openEyes({ program, folder: TREE, scratch: '/tmp/eyes' })
    return await eyes.visit(apps, VIEW)
  } catch (error) {
    if (error instanceof NoBrowser) return null
    throw error
  }
}

function tellPictures(visited: readonly Visited[]): void {
  const pictures = visited.flatMap(({ app, picture }) => (picture === null ? [] : [{ app, picture }]))
  for (const one of pictures.slice(0, LIMITS.picturesPerVerdictMax)) reportPicture(one)
}

function toProblem({ message, places }: Finding, app: string | null): Problem {
  const [first] = places
  const stack = places
    .slice(0, 6)
    .map((place) => `${place.path}:${place.line}${place.name === '' ? '' : ` (${place.name})`}`)
  return {
    path: first?.path ?? (app === null ? 'app/shell/desktop.tsx' : `app/apps/${app}/app.tsx`),
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
