import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')
const product = (pattern: string) => globSync(pattern, { cwd: ROOT }).filter((path) => !/\.test\.tsx?$/.test(path))

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function* walk(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const one of node) yield* walk(one)
  else if (typeof node === 'object' && node !== null) {
    if (typeof (node as Node).type === 'string') yield node as Node
    for (const value of Object.values(node)) if (typeof value === 'object') yield* walk(value)
  }
}

describe('[L14] no fake surface', () => {
  test('[L14] every button of the desktop does something', () => {
    const dead: string[] = []
    for (const path of product('desktop/{shell,apps,parts,sdk,widgets}/**/*.tsx')) {
      const { program } = parseSync(path, read(path))
      for (const node of walk(program)) {
        if (node.type !== 'JSXOpeningElement' || (node['name'] as Node)['name'] !== 'button') continue
        const attributes = node['attributes'] as Node[]
        const names = attributes.map((one) =>
          one.type === 'JSXSpreadAttribute' ? '...' : (one['name'] as Node)['name'],
        )
        if (!names.some((name) => ['onClick', 'onPointerDown', 'onMouseDown', '...'].includes(String(name))))
          dead.push(`${path}: ${names.join(' ')}`)
      }
    }
    expect(dead).toEqual([])
  })

  test('[L14] every button of the frame’s pages has a hand in a script, or a form', () => {
    const scripts = product('control-plane/frame/*.ts').map(read).join('\n')
    const isNamed = (id: string) => new RegExp(`['"\`]${id}['"\`]`).test(scripts)
    /** Also one that is put together: `more-${list}`. */
    const hasHand = (id: string) => {
      const [first = '', ...rest] = id.split('-')
      return isNamed(id) || (scripts.includes(`${first}-\${`) && isNamed(rest.join('-')))
    }
    const dead: string[] = []
    for (const path of product('control-plane/frame/*.html')) {
      for (const [, attributes = ''] of read(path).matchAll(/<button([^>]*)>/g)) {
        const id = /\bid="([^"]+)"/.exec(attributes)?.[1]
        const isInForm = /type="submit"/.test(attributes)
        if (!isInForm && (id === undefined || !hasHand(id))) dead.push(`${path}: ${attributes.trim()}`)
      }
    }
    expect(dead).toEqual([])
  })

  test('[L14] the product shows no sample text and promises nothing for later', () => {
    const found: string[] = []
    for (const path of product(
      '{desktop,control-plane,director,associate,core/recipes,command-line}/**/*.{ts,tsx,html,css}',
    )) {
      for (const word of [
        /lorem ipsum/i,
        /coming soon/i,
        /not (yet )?implemented/i,
        /\bJohn Doe\b/i,
        /\bsample data\b/i,
        /\bTODO\b/,
      ])
        if (word.test(read(path))) found.push(`${path}: ${word}`)
    }
    expect(found).toEqual([])
  })
})
