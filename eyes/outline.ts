/** A node of the browser's accessibility tree, as far as it is used here. */
export interface AxNode {
  readonly nodeId: string
  readonly ignored?: boolean
  readonly role?: { readonly value?: unknown }
  readonly name?: { readonly value?: unknown }
  readonly value?: { readonly value?: unknown }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
  readonly childIds?: readonly string[]
  readonly backendDOMNodeId?: number
}

const LINES_MAX = 400
const NAME_CHARS_MAX = 120
/** They only hold others, or repeat what their parent says. */
const SILENT = new Set(['generic', 'none', 'InlineTextBox', 'RootWebArea', 'presentation', 'LineBreak', 'ListMarker'])
const STATES = ['disabled', 'checked', 'expanded', 'pressed', 'selected', 'focused', 'invalid']

/** What a screen reader would find, a line each, indented as it is nested. */
export function outlineOf(nodes: readonly AxNode[]): string {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const lines: string[] = []
  const walk = (node: AxNode | undefined, depth: number, above: string) => {
    if (node === undefined || lines.length > LINES_MAX) return
    const role = text(node.role)
    const name = text(node.name)
    const isShown =
      node.ignored !== true && !SILENT.has(role) && !(role === 'StaticText' && (name === '' || name === above))
    if (isShown) lines.push(`${'  '.repeat(depth)}${lineOf(node)}`)
    for (const child of node.childIds ?? []) walk(byId.get(child), isShown ? depth + 1 : depth, isShown ? name : above)
  }
  walk(nodes[0], 0, '')
  return lines.length > LINES_MAX ? `${lines.slice(0, LINES_MAX).join('\n')}\n(more)` : lines.join('\n')
}

function lineOf(node: AxNode): string {
  const value = text(node.value)
  const states = (node.properties ?? [])
    .filter((one) => STATES.includes(one.name) && one.value.value !== false && one.value.value !== 'false')
    .map((one) =>
      one.value.value === true || one.value.value === 'true' ? one.name : `${one.name} ${String(one.value.value)}`,
    )
  return `${titleOf(node)}${value === '' ? '' : ` = ${JSON.stringify(value.slice(0, NAME_CHARS_MAX))}`}${states.length === 0 ? '' : ` (${states.join(', ')})`}`
}

/** Things that a click or a key can be meant for come before those that only say the same. */
const TARGETS = [
  'button',
  'link',
  'textbox',
  'checkbox',
  'radio',
  'combobox',
  'option',
  'menuitem',
  'tab',
  'switch',
  'slider',
  'searchbox',
  'spinbutton',
  'cell',
  'row',
  'listitem',
  'img',
  'dialog',
]

/** Whether this is its whole name: in another case, or with spaces around it, it is the same. */
export function isCalled(node: AxNode, name: string): boolean {
  return text(node.name).trim().toLowerCase() === name.trim().toLowerCase()
}

/** What it is, and how it is called, as the outline says it. */
export function titleOf(node: AxNode): string {
  const role = text(node.role)
  const name = text(node.name)
  const shown = name === '' ? '' : ` ${JSON.stringify(name.slice(0, NAME_CHARS_MAX))}`
  return `${role === 'StaticText' ? 'text' : role}${shown}`
}

/** The node that a person would mean by this name, and by this role where one is given. */
export function findNamed(nodes: readonly AxNode[], name: string, role: string | null): AxNode | null {
  const sought = name.trim().toLowerCase()
  const fits = nodes.filter(
    (node) =>
      node.ignored !== true && node.backendDOMNodeId !== undefined && (role === null || text(node.role) === role),
  )
  const exact = fits.filter((node) => isCalled(node, name))
  const found = exact.length > 0 ? exact : fits.filter((node) => text(node.name).toLowerCase().includes(sought))
  const rank = (node: AxNode) => {
    const index = TARGETS.indexOf(text(node.role))
    return index === -1 ? TARGETS.length : index
  }
  return found.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}

function text(field: { readonly value?: unknown } | undefined): string {
  const value = field?.value ?? ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
