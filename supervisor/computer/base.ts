import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BaseInstall } from '@choiros/contract/events/files.ts'
import { sha256 } from '@choiros/contract/canonical.ts'
import type { Change } from '@choiros/contract/change.ts'
import { eventTime, sealEvent, type StoredEvent } from '@choiros/contract/event.ts'
import { NO_HASH, type Seq } from '@choiros/contract/ids.ts'
import { comparePaths, TreePath } from '@choiros/contract/path.ts'
import { hashSortedTree } from '@choiros/core/tree.ts'
import type { ObjectBytes } from '@choiros/ports/objects/objects.ts'
import { RELEASE } from '../release.ts'
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
export function firstEvent(
  identity: ComputerIdentity,
  machine: Machine,
): { stored: StoredEvent; objects: Base['objects'] } {
  const { changes, objects } = machine.base()
  const tree = hashSortedTree(changes.flatMap(({ path, to }) => (to === null ? [] : [[path, to] as const])))
  const time = eventTime(machine.now())
  const { stored } = sealEvent(
    {
      type: BaseInstall.type,
      version: BaseInstall.version,
      data: { name: identity.name, release: RELEASE, tree, dependencies: null, changes, manifest: null },
      user: identity.user,
      source: 'system',
      via: 'system',
      run: null,
      cause: null,
    },
    { id: machine.newEventId(time), computer: identity.id, seq: 1 as Seq, time, prev: NO_HASH },
  )
  return { stored, objects }
}
