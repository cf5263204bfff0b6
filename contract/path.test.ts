import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparePaths, foldersAbove, isIgnored, linkProblem, pathProblem, shownPath, TreePath } from './path.ts'

const refused = (path: string) => pathProblem(path) !== null

describe('[CT3] paths', () => {
  test('ordinary paths are paths: spaces, dots in names, Unicode, 255-byte names, 1,024 bytes in all', () => {
    const longest = `${`${'a'.repeat(255)}/`.repeat(3)}${'d'.repeat(254)}/e`
    for (const path of [
      'a',
      'app/main.ts',
      ' a /b c',
      '...',
      '..a',
      'a..',
      '.hidden',
      'ünï/\u{1f600}',
      'a\nb',
      'C:',
      '-rf',
      longest,
    ]) {
      expect([path, pathProblem(path)]).toEqual([path, null])
    }
  })

  test('hostile paths are refused', () => {
    const hostile = [
      '',
      '.',
      '..',
      '/',
      '/etc/passwd',
      '//',
      'a//b',
      'a/',
      './a',
      'a/.',
      'a/./b',
      '../a',
      'a/..',
      'a/../b',
      'a/../../b',
      'a\0',
      '\0',
      'a\0/../b',
      'a\\b',
      '..\\a',
      '\\\\server\\share',
      '\ud800',
      'a/\udfff',
      '\udc00\ud800',
      'a'.repeat(256),
      `a/${'é'.repeat(128)}`,
      'a/'.repeat(512) + 'a',
      'é'.repeat(513),
    ]
    expect(hostile.filter((path) => !refused(path))).toEqual([])
    for (const path of hostile) expect(TreePath.safeParse(path).success).toBe(false)
  })

  test('a name of 1 MiB gives a short message', () => {
    for (const name of [
      'x'.repeat(1024 * 1024),
      '\ud83d\ude00'.repeat(512 * 1024),
      '\0'.repeat(1024 * 1024),
      '\ud800'.repeat(1024 * 1024),
    ]) {
      const message =
        TreePath.safeParse(name)
          .error?.issues.map((issue) => issue.message)
          .join() ?? ''
      expect(message.length).toBeGreaterThan(10)
      expect(message.length).toBeLessThan(1000)
      expect(message.isWellFormed()).toBe(true)
    }
  })

  test('a path is shown on one line, whatever is in it', () => {
    for (const path of ['a\nb', 'a\u001b[31mb', '\ud800', 'a"b']) expect(shownPath(path)).toMatch(/^"[^\n\u001b]*"$/)
  })

  test('whatever is accepted stays inside when it is joined to a folder', () => {
    const part = fc.oneof(
      fc.constantFrom('.', '..', '', '/', '\\', 'a', '\0', '...'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }).map((parts) => parts.join('/')),
        (path) => {
          fc.pre(!refused(path))
          expect(
            new URL(`file:///root/${path.split('/').map(encodeURIComponent).join('/')}`).pathname.startsWith('/root/'),
          ).toBe(true)
          expect(Buffer.from(path, 'utf8').toString('utf8')).toBe(path)
          expect(foldersAbove(path).every((folder) => !refused(folder) && path.startsWith(`${folder}/`))).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('ignored names are ignored at any depth, and only as whole parts', () => {
    expect(
      ['node_modules', 'a/node_modules/b', '.git', 'app/.git/config', 'dist', 'x/.vite'].filter(
        (path) => !isIgnored(path),
      ),
    ).toEqual([])
    expect(['node_modules2', 'app/git', '.gitignore', 'dist.ts', 'distant/a', 'Dist'].filter(isIgnored)).toEqual([])
  })

  test('every folder above a path is named, outermost first', () => {
    expect([foldersAbove('a/b/c'), foldersAbove('a')]).toEqual([['a', 'a/b'], []])
  })
})

test('[CT3] paths are ordered by their UTF-8 bytes, as SQLite orders them', () => {
  const path = fc.string({
    unit: fc.oneof(
      fc.constantFrom('/', 'a', '-', '\uffff', '\ue000', '\ud7ff', '\u{10000}', '\u{1f600}'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  })
  fc.assert(
    fc.property(path, path, (a, b) => {
      expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { numRuns: 5000 },
  )
})

describe('[CT4] symlinks', () => {
  test('targets that stay inside are accepted', () => {
    for (const [link, target] of [
      ['a', 'b'],
      ['a', 'b/c'],
      ['d/a', '../b'],
      ['d/e/a', '../../b/c'],
      ['d/a', '..'],
      ['a', '.'],
      ['a', './b'],
      ['d/a', '.././b'],
    ] as const) {
      expect([link, target, linkProblem(link, target)]).toEqual([link, target, null])
    }
  })

  test('targets that leave, and those that could through another link, are refused', () => {
    const hostile: readonly (readonly [string, string])[] = [
      ['a', '..'],
      ['a', '../b'],
      ['d/a', '../..'],
      ['d/a', '../../etc'],
      ['a', '/etc/passwd'],
      ['a', '/'],
      ['a', ''],
      ['a', 'b\0c'],
      ['a', 'b\\..\\c'],
      ['a', '\ud800'],
      ['a', 'b/../../c'],
      ['a', 'b/..'],
      ['deep/a/b', 'x/../../..'],
      ['deep/a/b', '../x/../../../etc'],
      ['a', './..'],
      ['d/a', '.././../..'],
      ['a', `b${'/c'.repeat(600)}`],
    ]
    expect(hostile.filter(([link, target]) => linkProblem(link, target) === null)).toEqual([])
  })

  test('no set of accepted links ever resolves outside, whichever links the way leads through', () => {
    const name = fc.constantFrom('a', 'b', 'deep')
    const linkPath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const target = fc
      .array(
        fc.oneof({ weight: 2, arbitrary: name }, { weight: 2, arbitrary: fc.constant('..') }, fc.constantFrom('.', '')),
        {
          minLength: 1,
          maxLength: 7,
        },
      )
      .map((parts) => parts.join('/'))
    let followed = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(linkPath, target), { minLength: 1, maxLength: 8 }), (wishes) => {
        const links = acceptLinks(wishes)
        for (const link of links.keys()) {
          const end = resolvePhysically(links, link)
          if (end === 'inside') followed++
          expect(end).not.toBe('outside')
        }
      }),
      {
        numRuns: 5000,
        examples: [
          [
            [
              ['deep/a/b', '../../a'],
              ['a', 'deep/a/b/../../..'],
            ],
          ],
          [
            [
              ['a', 'deep/a'],
              ['deep/a', '..'],
              ['b', 'a/../..'],
            ],
          ],
        ],
      },
    )
    expect(followed).toBeGreaterThan(1000)
  })
})

/** A tree of links, made as the core makes one: nothing lies below a link. */
function acceptLinks(wishes: readonly (readonly [string, string])[]): Map<string, string> {
  const links = new Map<string, string>()
  for (const [link, target] of wishes) {
    if (linkProblem(link, target) !== null || links.has(link)) continue
    if (
      foldersAbove(link).some((folder) => links.has(folder)) ||
      [...links.keys()].some((other) => other.startsWith(`${link}/`))
    )
      continue
    links.set(link, target)
  }
  return links
}

/**
 * Walks as a kernel does: `..` goes up from the folder that was really reached, and a name that is a link continues at
 * its target. Every other name counts as a folder.
 */
function resolvePhysically(links: ReadonlyMap<string, string>, start: string): 'inside' | 'outside' | 'loop' {
  const at: string[] = []
  const todo = start.split('/')
  for (let steps = 0; todo.length > 0; steps++) {
    if (steps > 500) return 'loop'
    const part = todo.shift() as string
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (at.length === 0) return 'outside'
      at.pop()
      continue
    }
    const target = links.get([...at, part].join('/'))
    if (target === undefined) at.push(part)
    else if (target.startsWith('/')) return 'outside'
    else todo.unshift(...target.split('/'))
  }
  return 'inside'
}
