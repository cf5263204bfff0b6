/**
 * Runs before everything else in a desktop's page, the probe included. It takes away what no header takes away in every
 * browser: peer connections, and the frames in whose fresh globals a page would find them again. If the engine lets a
 * page refuse its own navigation, nothing outside is even asked for. This makes harm harder for hostile code and is no
 * wall: the frame says what a browser cannot prevent.
 *
 * Everything it needs later is taken now and called by `apply`: a page that replaces `exec`, an iterator or
 * `instanceof` must not replace the guard.
 */
const { apply, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect
type Method = (this: unknown, ...args: unknown[]) => unknown
const method = (target: object, name: string) => getOwnPropertyDescriptor(target, name)?.value as Method
const getter = (target: object, name: string) => getOwnPropertyDescriptor(target, name)?.get as Method

const FRAMES = 'iframe, frame, frameset, object, embed, fencedframe, portal'
const LOOKED_FOR = `${FRAMES}, meta[http-equiv], link[rel]`
const pattern = (source: string) => {
  const made = new RegExp(source, 'i')
  // An `exec` of its own: otherwise `test` would use the prototype's, which a page can replace.
  defineProperty(made, 'exec', { value: made.exec })
  return made
}
const FRAME_NAME = pattern(`^(?:${FRAMES.replaceAll(', ', '|')})$`)
const FRAME_TAG = pattern(`<(?:[\\w-]+:)?(?:${FRAMES.replaceAll(', ', '|')})(?:[\\s/>]|$)`)
/** What makes the browser contact a host that a page names, if only to look up its address. */
const HINT = pattern('\\b(?:preconnect|dns-prefetch|prerender|prefetch|preload|modulepreload)\\b')
const GUARDED_ELEMENT = pattern('^(?:link|meta)$')
const GUARDED_ATTRIBUTE = pattern('^(?:.*:)?(?:rel|href|http-equiv)$')
const PEERS = [
  'RTCPeerConnection',
  'webkitRTCPeerConnection',
  'mozRTCPeerConnection',
  'RTCIceTransport',
  'RTCIceGatherer',
  'WebTransport',
  'WebSocketStream',
]

const matches = method(RegExp.prototype, 'test')
const lower = method(String.prototype, 'toLowerCase')
const nodeType = getter(Node.prototype, 'nodeType')
const localName = getter(Element.prototype, 'localName')
const getAttribute = method(Element.prototype, 'getAttribute')
const attributeName = getter(Attr.prototype, 'name')
const ownerElement = getter(Attr.prototype, 'ownerElement')
const findIn = {
  1: method(Element.prototype, 'querySelectorAll'),
  11: method(DocumentFragment.prototype, 'querySelectorAll'),
}
const countOf = getter(NodeList.prototype, 'length')
const itemOf = method(NodeList.prototype, 'item')
const originOf = getter(URL.prototype, 'origin')
const Url = URL
const Refusal = DOMException
const home = location.origin
const textOf = String as (value: unknown) => string

const isMatch = (expression: RegExp, text: string) => apply(matches, expression, [text]) as boolean
const nameOf = (element: Element) => apply(localName, element, []) as string
const attributeOf = (element: Element, name: string) => apply(getAttribute, element, [name]) as string | null

for (const name of PEERS) {
  deleteProperty(globalThis, name)
  defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false })
}

function refuse(what: string): never {
  throw new Refusal(`A desktop holds no ${what}: by it a page could reach outside.`, 'NotSupportedError')
}

function isOutside(address: string | null): boolean {
  if (address === null) return false
  try {
    return apply(originOf, new Url(address, home), []) !== home
  } catch {
    return true
  }
}

function checkText(text: string): string {
  if (isMatch(FRAME_TAG, text)) refuse('frames')
  return text
}

/** `name` and `value`: an attribute that the element is about to get. */
function checkElement(element: Element, name = '', value: string | null = null): void {
  const tag = nameOf(element)
  if (isMatch(FRAME_NAME, tag)) refuse('frames')
  if (tag === 'meta' && (name === 'http-equiv' || attributeOf(element, 'http-equiv') !== null))
    refuse('orders to the browser (http-equiv)')
  if (tag !== 'link') return
  const rel = name === 'rel' ? value : attributeOf(element, 'rel')
  const address = name === 'href' ? value : attributeOf(element, 'href')
  if (rel !== null && isMatch(HINT, rel) && isOutside(address)) refuse('hints for other hosts')
}

/** Checks a node that is put into a page, and everything inside it. Whatever is no node is left to the browser. */
function checkNode(node: unknown): void {
  let type: unknown
  try {
    type = apply(nodeType, node, [])
  } catch {
    return
  }
  if (type === 1) checkElement(node as Element)
  if (type !== 1 && type !== 11) return
  const found = apply(findIn[type], node, [LOOKED_FOR])
  const count = apply(countOf, found, []) as number
  for (let index = 0; index < count; index++) checkElement(apply(itemOf, found, [index]) as Element)
}

type Check = (args: unknown[], target: unknown) => void

/** `check` may also replace an argument. */
function guard(target: object | undefined, name: string, check: Check): void {
  const native =
    target === undefined ? undefined : (getOwnPropertyDescriptor(target, name)?.value as Method | undefined)
  if (target === undefined || native === undefined) return
  const { [name]: guarded } = {
    [name](this: unknown, ...args: unknown[]) {
      check(args, this)
      return apply(native, this, args)
    },
  }
  defineProperty(target, name, { value: guarded, writable: false, configurable: false, enumerable: true })
}

function guardSetter(target: object | undefined, name: string, check: Check): void {
  const native = target === undefined ? undefined : getOwnPropertyDescriptor(target, name)
  if (target === undefined || native?.set === undefined) return
  const { get, set } = native
  const guarded = function (this: unknown, value: unknown) {
    const args = [value]
    check(args, this)
    apply(set, this, args)
  }
  defineProperty(target, name, { get, set: guarded, configurable: false, enumerable: true })
}

const nodes: Check = (args) => {
  for (let index = 0; index < args.length; index++) checkNode(args[index])
}
/** Converted to text only once: the text that is checked is the text that is used. */
const textAt =
  (index: number): Check =>
  (args) => {
    if (args.length > index) args[index] = checkText(args[index] === null ? '' : textOf(args[index]))
  }
const attribute: Check = (args, target) => {
  const name = (args[0] = textOf(args[0]))
  const value = (args[1] = textOf(args[1]))
  checkElement(target as Element, apply(lower, name, []) as string, value)
}
const property =
  (name: string): Check =>
  (args, target) =>
    checkElement(target as Element, name, (args[0] = textOf(args[0])))
/** Unusual ways to set a guarded attribute: refused. A list of attributes (`mapped`) does not tell whose they are. */
const otherAttribute =
  (index: number, mapped = false): Check =>
  (args, target) => {
    const given = args[index]
    const name = typeof given === 'object' ? (apply(attributeName, given, []) as string) : (args[index] = textOf(given))
    const isGuarded = mapped || isMatch(GUARDED_ELEMENT, nameOf(target as Element))
    if (isGuarded && isMatch(GUARDED_ATTRIBUTE, name))
      refuse(`attributes put on in this way; use setAttribute for ${name}`)
  }

const prototypeOf = (name: string) =>
  (globalThis as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype
for (const name of ['appendChild', 'insertBefore', 'replaceChild']) guard(Node.prototype, name, nodes)
for (const holder of ['Element', 'Document', 'DocumentFragment'])
  for (const name of ['append', 'prepend', 'replaceChildren', 'moveBefore']) guard(prototypeOf(holder), name, nodes)
for (const holder of ['Element', 'CharacterData', 'DocumentType'])
  for (const name of ['before', 'after', 'replaceWith']) guard(prototypeOf(holder), name, nodes)
for (const name of ['insertAdjacentElement']) guard(Element.prototype, name, nodes)
for (const name of ['insertNode', 'surroundContents']) guard(Range.prototype, name, nodes)
guardSetter(Document.prototype, 'body', nodes)

guard(Element.prototype, 'insertAdjacentHTML', textAt(1))
guard(Range.prototype, 'createContextualFragment', textAt(0))
for (const holder of ['Element', 'ShadowRoot']) {
  for (const name of ['innerHTML', 'outerHTML']) guardSetter(prototypeOf(holder), name, textAt(0))
  guard(prototypeOf(holder), 'setHTMLUnsafe', textAt(0))
}
guard(Document, 'parseHTMLUnsafe', textAt(0))
guard(DOMParser.prototype, 'parseFromString', textAt(0))
guard(Document.prototype, 'execCommand', textAt(2))
// Written in pieces, a tag could be put together without the guard seeing it.
for (const name of ['write', 'writeln', 'open'])
  guard(Document.prototype, name, () => refuse('writing into an open page'))

guard(Element.prototype, 'setAttribute', attribute)
guard(Element.prototype, 'setAttributeNS', otherAttribute(1))
guard(Element.prototype, 'toggleAttribute', otherAttribute(0))
for (const name of ['setAttributeNode', 'setAttributeNodeNS']) guard(Element.prototype, name, otherAttribute(0))
for (const name of ['setNamedItem', 'setNamedItemNS']) guard(NamedNodeMap.prototype, name, otherAttribute(0, true))
guardSetter(Attr.prototype, 'value', (args, target) => {
  const element = apply(ownerElement, target, []) as Element | null
  if (element !== null)
    checkElement(element, apply(lower, apply(attributeName, target, []), []) as string, (args[0] = textOf(args[0])))
})
for (const name of ['nodeValue', 'textContent']) {
  guardSetter(Node.prototype, name, (_, target) => {
    if (apply(nodeType, target, []) === 2) refuse('attributes changed in this way; use setAttribute')
  })
}
for (const name of ['rel', 'href']) guardSetter(prototypeOf('HTMLLinkElement'), name, property(name))
guardSetter(prototypeOf('HTMLMetaElement'), 'httpEquiv', property('http-equiv'))
deleteProperty(HTMLLinkElement.prototype, 'relList')

interface Navigate extends Event {
  readonly destination: { readonly url: string }
}
;(globalThis as { navigation?: EventTarget }).navigation?.addEventListener('navigate', (event) => {
  if (isOutside((event as Navigate).destination.url)) event.preventDefault()
})

// If the browser does not say that it opened this page in a tab, the gateway could not redirect it.
if (parent === window) location.replace(`${location.protocol}//localhost:${location.port}/`)
