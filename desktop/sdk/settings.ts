import { useEffect, useReducer } from 'react'
import { readText } from './choir.ts'
import { useLive } from './live.ts'

interface Read {
  readonly object: string | null
  readonly value: unknown
}

/** Kept across hot updates: a rewrite of the desktop must not flash the looks it has before it knows its own. */
const kept = ((globalThis as { choirSettings?: Map<string, Read> }).choirSettings ??= new Map())

/**
 * One setting is one file, `artifacts/system/NAME.json`; a change of it is seen at once, and undone like any file. Null until all of them are known;
 * undefined is one that is not there or is not JSON. What a value may be is for the caller to check: anyone can write it.
 */
export function useSettings<Name extends string>(names: readonly Name[]): Readonly<Record<Name, unknown>> | null {
  const { files, loaded } = useLive()
  const [, show] = useReducer((turn: number) => turn + 1, 0)
  const objects = names.map((name) => files.get(pathOf(name))?.object ?? null)
  const key = JSON.stringify([loaded, names, objects])
  useEffect(() => {
    if (!loaded) return
    let current = true
    const reads = names.map(async (name, index) => {
      const object = objects[index] ?? null
      if (kept.get(name)?.object === object) return
      const value = object === null ? undefined : await readJson(pathOf(name))
      if (current) kept.set(name, { object, value })
    })
    void Promise.all(reads).then(() => current && show())
    return () => void (current = false)
    // The key holds the names and the versions they have now.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])
  if (!names.every((name) => kept.has(name))) return null
  return Object.fromEntries(names.map((name) => [name, kept.get(name)?.value])) as Record<Name, unknown>
}

function pathOf(name: string): string {
  return `artifacts/system/${name}.json`
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readText(path)) as unknown
  } catch {
    return undefined // Not JSON, or gone again: as if it had never been set.
  }
}
