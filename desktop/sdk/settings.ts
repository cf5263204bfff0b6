import { useEffect, useReducer } from 'react'
import { readText } from './choir.ts'
import { useLive } from './live.ts'

interface Read {
  readonly object: string | null
  readonly value: unknown
}

/** Kept across hot updates: a rewritten desktop must not show default looks for a moment. */
const kept = ((globalThis as { choirSettings?: Map<string, Read> }).choirSettings ??= new Map())

/**
 * One setting is one file, `artifacts/system/NAME.json`; a change is seen at once, and undone like any file. Null until
 * all of them are known; undefined for a file that is missing or no JSON. The caller checks the value: anyone can write
 * it.
 */
export function useSettings<Name extends string>(names: readonly Name[]): Readonly<Record<Name, unknown>> | null {
  const { files, loaded, connected } = useLive()
  const [, show] = useReducer((turn: number) => turn + 1, 0)
  const objects = names.map((name) => files.get(pathOf(name))?.object ?? null)
  const key = JSON.stringify([loaded, connected, names, objects])
  useEffect(() => {
    if (!loaded) return
    let current = true
    const reads = names.map(async (name, index) => {
      const object = objects[index] ?? null
      if (kept.get(name)?.object === object) return
      const read = object === null ? { object, value: undefined } : await readJson(pathOf(name), object)
      // If it cannot be read now, it keeps its value until the connection is back and it is read again.
      if (current) kept.set(name, read ?? { object: null, value: kept.get(name)?.value })
    })
    void Promise.all(reads).then(() => current && show())
    return () => void (current = false)
    // The key holds the names, their present versions, and whether there is a connection.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])
  if (!names.every((name) => kept.has(name))) return null
  return Object.fromEntries(names.map((name) => [name, kept.get(name)?.value])) as Record<Name, unknown>
}

function pathOf(name: string): string {
  return `artifacts/system/${name}.json`
}

async function readJson(path: string, object: string): Promise<Read | null> {
  const text = await readText(path).catch(() => null)
  if (text === null) return null
  try {
    return { object, value: JSON.parse(text) as unknown }
  } catch {
    return { object, value: undefined }
  }
}
