import { useEffect, useState } from 'react'
import { readText } from './choir.ts'
import { useLive } from './live.ts'

/** One setting is one file, `artifacts/system/NAME.json`; a change of it is seen at once, and undone like any file. */
export function useSetting<Value>(name: string, fallback: Value): Value {
  const path = `artifacts/system/${name}.json`
  const object = useLive().files.get(path)?.object ?? null
  const [value, setValue] = useState<Value>(fallback)
  useEffect(() => {
    let current = true
    if (object === null) setValue(fallback)
    else {
      readText(path)
        .then((text) => JSON.parse(text) as Value)
        .then(
          (parsed) => current && setValue(parsed),
          () => current && setValue(fallback), // Not JSON, or gone again: the desktop looks as if it had never been set.
        )
    }
    return () => void (current = false)
    // The fallback is a constant of the caller; the object's hash is what changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [object, path])
  return value
}
