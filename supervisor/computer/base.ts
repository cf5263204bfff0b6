import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import { comparePaths, TreePath } from '@choiros/contract/path.ts'
import type { SmallObject } from '@choiros/ports/event-log/event-log.ts'

/** What every new computer starts with: the desktop, as files of its own that it may rewrite. */
export interface Base {
  readonly changes: readonly Change[]
  readonly objects: readonly SmallObject[]
}

export const EMPTY_BASE: Base = { changes: [], objects: [] }

const PARTS = ['index.html', 'main.tsx', 'shell', 'apps', 'widgets']

export function readBase(desktop: string): Base {
  const changes: Change[] = []
  const objects: SmallObject[] = []
  for (const name of readdirSync(desktop, { recursive: true, encoding: 'utf8' })) {
    if (!PARTS.some((part) => name === part || name.startsWith(`${part}/`)) || name.endsWith('.test.ts') || !statSync(join(desktop, name)).isFile())
      continue
    const bytes = readFileSync(join(desktop, name))
    const hash = sha256(bytes)
    objects.push({ hash, bytes })
    changes.push({
      path: TreePath.parse(`app/${name}`),
      from: null,
      to: { kind: 'file', mode: '644', object: hash, size: bytes.length },
      movedFrom: null,
    })
  }
  return { changes: changes.sort((a, b) => comparePaths(a.path, b.path)), objects }
}
