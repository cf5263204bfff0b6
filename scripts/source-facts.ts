import { parseSync, Visitor } from 'oxc-parser'

export const LINE_WIDTH_MAX = 120

interface Found {
  readonly text: string
  readonly line: number
}

/**
 * What the rules need to know about a file. Taken from the parsed program, so that a comment or a string is never
 * mistaken for code.
 */
export interface SourceFacts {
  readonly path: string
  readonly lines: number
  /** Every module named by an import, an export, `import()`, `require()` or a type. Null text: the name is computed. */
  readonly imports: readonly { readonly text: string | null; readonly line: number }[]
  /**
   * Every `a.b` on plain names, every `new A()` without arguments, and every call of a plain name, as `a.b`, `new A()`,
   * `a()`.
   */
  readonly uses: readonly Found[]
  /** Texts of strings and templates; a template's expressions are a `?`. */
  readonly strings: readonly Found[]
  /** Every function, with the lines that are its own: those of functions inside of it count for them. */
  readonly functions: readonly { readonly line: number; readonly own: number }[]
  /**
   * The width of every line, except lines that are mostly one text: texts are not cut, so that they can be searched
   * for.
   */
  readonly widths: readonly { readonly line: number; readonly width: number }[]
  /** `export * from`. */
  readonly reexportsAll: readonly Found[]
  readonly errors: readonly Found[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Span {
  readonly first: number
  readonly last: number
}

export function readFacts(path: string, source: string): SourceFacts {
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number) => lineStarts.findLastIndex((start) => start <= offset) + 1
  const parsed = parseSync(path, source)
  const imports: { text: string | null; line: number }[] = []
  const uses: Found[] = []
  const strings: Found[] = []
  const reexportsAll: Found[] = []
  const spans: Span[] = []
  const texts: Node[] = []
  const addSpan = ({ start, end }: Node) => void spans.push({ first: lineAt(start), last: lineAt(end - 1) })
  const at = (node: Node, text: string): Found => ({ text, line: lineAt(node.start) })
  const addImport = (node: Node, name: Node | null | undefined) => {
    if (name !== null && name !== undefined) imports.push({ text: nameOf(name), line: lineAt(node.start) })
  }

  new Visitor({
    FunctionDeclaration: addSpan,
    FunctionExpression: addSpan,
    ArrowFunctionExpression: addSpan,
    ImportDeclaration: (node) => addImport(node, node.source),
    ExportNamedDeclaration: (node) => addImport(node, node.source),
    ExportAllDeclaration: (node) => {
      addImport(node, node.source)
      reexportsAll.push(at(node, node.source.value))
    },
    ImportExpression: (node) => addImport(node, node.source),
    TSImportType: (node) => addImport(node, node.source),
    TSExternalModuleReference: (node) => addImport(node, node.expression),
    CallExpression: (node) => {
      if (node.callee.type !== 'Identifier') return
      if (node.callee.name === 'require') addImport(node, node.arguments[0])
      uses.push(at(node, `${node.callee.name}()`))
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.arguments.length === 0)
        uses.push(at(node, `new ${node.callee.name}()`))
    },
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier') return
      const property = node.computed ? nameOf(node.property) : node.property.name
      if (property !== null) uses.push(at(node, `${node.object.name}.${property}`))
    },
    JSXText: (node) => void texts.push(node),
    Literal: (node) => {
      texts.push(node)
      if (typeof node.value === 'string') strings.push(at(node, node.value))
    },
    TemplateLiteral: (node) => {
      texts.push(node)
      strings.push(at(node, node.quasis.map((part) => part.value.cooked ?? part.value.raw).join('?')))
    },
  }).visit(parsed.program)

  return {
    path,
    lines: source.endsWith('\n') ? lineStarts.length - 1 : lineStarts.length,
    imports,
    uses,
    strings,
    functions: spans.map((span) => ({ line: span.first, own: ownLines(span, spans) })),
    widths: source.split('\n').map((text, index) => {
      const from = lineStarts[index]!
      const shareOf = ({ start, end }: Node) => Math.min(end, from + text.length) - Math.max(start, from)
      return { line: index + 1, width: texts.some((node) => shareOf(node) > LINE_WIDTH_MAX / 2) ? 0 : text.length }
    }),
    reexportsAll,
    errors: parsed.errors.map((error) => ({ text: error.message, line: lineAt(error.labels[0]?.start ?? 0) })),
  }
}

/** The text of a constant name, or null where only running the program would tell. */
function nameOf(node: object): string | null {
  if ('value' in node && typeof node.value === 'string') return node.value
  if ('quasis' in node && Array.isArray(node.quasis) && node.quasis.length === 1)
    return (node.quasis[0] as { value: { cooked: string } }).value.cooked
  return null
}

function ownLines(span: Span, all: readonly Span[]): number {
  const inside = new Set<number>()
  for (const { first, last } of all) {
    const isInner = first >= span.first && last <= span.last && last - first < span.last - span.first && last > first
    if (isInner) for (let line = first; line <= last; line++) inside.add(line)
  }
  return span.last - span.first + 1 - inside.size
}
