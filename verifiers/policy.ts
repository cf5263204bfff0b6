import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkName, checkPage, checkScript, checkSetting } from './policy-rules.ts'
import { isScript, report, touchedPaths, TREE, type Problem } from './report.ts'

const problems: Problem[] = []
for (const path of touchedPaths()) {
  const file = join(TREE, path)
  // A link that leads nowhere has a name, too.
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) problems.push(...checkName(path))
  // A touched path may also be a folder, or a link to a folder or to nothing: then there is no text to judge.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue
  if (path.startsWith('artifacts/system/') && path.endsWith('.json'))
    problems.push(...checkSetting(path, readFileSync(file, 'utf8')))
  if (!path.startsWith('app/')) continue
  const text = readFileSync(file, 'utf8')
  if (isScript(path)) problems.push(...checkScript(path, text))
  else if (path.endsWith('.html')) problems.push(...checkPage(path, text))
}
report(problems)
