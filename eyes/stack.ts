import { SourceMap } from 'node:module'
import type { Site } from './site.ts'

/** A place in the tree's own files, as a person wrote them. */
export interface Place {
  readonly path: string
  readonly line: number
}

/** One frame of a stack as the browser tells it; lines and columns count from 0. */
export interface Frame {
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
  readonly functionName: string
}

/** What a stack says in the source's own lines; frames that are not the tree's are left out. */
export function placesOf(frames: readonly Frame[], site: Site, folder: string): (Place & { name: string })[] {
  return frames.flatMap((frame) => {
    const place = placeOf(frame, site, folder)
    return place === null ? [] : [{ ...place, name: frame.functionName }]
  })
}

function placeOf({ url, lineNumber, columnNumber }: Frame, site: Site, folder: string): Place | null {
  if (!url.startsWith(site.address)) return null
  const source = site.sourceOf(url)
  if (source === null || !source.file.startsWith(`${folder}/`)) return null
  const path = source.file.slice(folder.length + 1)
  if (source.map === null) return { path, line: lineNumber + 1 }
  const entry = new SourceMap(source.map as ConstructorParameters<typeof SourceMap>[0]).findEntry(
    lineNumber,
    columnNumber,
  )
  return 'originalLine' in entry ? { path, line: entry.originalLine + 1 } : { path, line: lineNumber + 1 }
}
