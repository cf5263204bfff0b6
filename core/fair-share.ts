/** Some of a tree's files, and how many of the others lie where. */
export interface FairShare {
  /** In the order in which they were given. */
  readonly chosen: readonly string[]
  /** Folders of which not every file was chosen; '' is the whole tree. */
  readonly unlisted: readonly { readonly folder: string; readonly files: number }[]
}

/** More folders than these are not told apart. */
export const SHARES_MAX = 200
const DEPTHS = [2, 1]

/**
 * As many paths as there is room for: those that come first anyway, then as many of each folder as of the others. By
 * the alphabet alone, one large folder would hide everything behind it.
 */
export function fairShare(
  paths: readonly string[],
  max: number,
  comesFirst: (path: string) => boolean = () => false,
): FairShare {
  if (paths.length <= max) return { chosen: paths, unlisted: [] }
  const chosen = new Set(paths.filter(comesFirst).slice(0, max))
  const groups = groupsOf(paths.filter((path) => !chosen.has(path)))
  const unlisted: { folder: string; files: number }[] = []
  // What the small ones do not need is left to the large ones.
  const smallestFirst = [...groups].sort(([, one], [, other]) => one.length - other.length)
  for (const [index, [folder, inside]] of smallestFirst.entries()) {
    const share = Math.ceil((max - chosen.size) / (smallestFirst.length - index))
    for (const path of inside.slice(0, share)) chosen.add(path)
    if (inside.length > share) unlisted.push({ folder, files: inside.length - share })
  }
  return { chosen: paths.filter((path) => chosen.has(path)), unlisted }
}

function groupsOf(paths: readonly string[]): Map<string, string[]> {
  for (const depth of DEPTHS) {
    const groups = new Map<string, string[]>()
    for (const path of paths) {
      const folder = path.split('/').slice(0, -1).slice(0, depth).join('/')
      const group = groups.get(folder)
      if (group === undefined) groups.set(folder, [path])
      else group.push(path)
    }
    if (groups.size <= SHARES_MAX) return groups
  }
  return new Map([['', [...paths]]])
}
