import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BaseInstall } from '@choiros/contract/events/files.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import { NO_HASH } from '@choiros/contract/ids.ts'
import { comparePaths, TreePath } from '@choiros/contract/path.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { RELEASE } from '../release.ts'
import { sealProposal, type Sealed } from './seal.ts'
import type { ComputerIdentity, Machine } from './machine.ts'

/** What every new computer starts with: the desktop, as files of its own that it may rewrite. */
export interface Base {
  readonly changes: readonly Change[]
  readonly objects: readonly ObjectBytes[]
}

export const EMPTY_BASE: Base = { changes: [], objects: [] }

const PARTS = ['index.html', 'main.tsx', 'shell', 'apps', 'widgets']

export function readBase(desktop: string): Base {
  const changes: Change[] = []
  const objects: ObjectBytes[] = []
  for (const name of readdirSync(desktop, { recursive: true, encoding: 'utf8' })) {
    if (
      !PARTS.some((part) => name === part || name.startsWith(`${part}/`)) ||
      name.endsWith('.test.ts') ||
      !statSync(join(desktop, name)).isFile()
    )
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

/** Every log begins with what the computer starts with. */
export function firstEvent(identity: ComputerIdentity, machine: Machine): Sealed {
  const { changes, objects } = machine.base()
  const tree = hashSortedTree(changes.flatMap(({ path, to }) => (to === null ? [] : [[path, to] as const])))
  const draft = {
    type: BaseInstall.type,
    version: BaseInstall.version,
    data: { name: identity.name, release: RELEASE, tree, dependencies: null },
    user: identity.user,
    source: 'system',
    via: 'system',
    run: null,
    cause: null,
  } as const
  return sealProposal({ draft, changes, objects }, { seq: 0, hash: NO_HASH }, { ...machine, computer: identity.id })
}
