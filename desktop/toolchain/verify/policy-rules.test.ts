import { expect, test } from 'vitest'
import { checkPage, checkScript } from './policy-rules.ts'

const told = (text: string) => [...new Set(checkScript('app/apps/x/x.tsx', text).map(({ line, message }) => `${line}: ${message.split(':')[0]}`))]

test('state that no undo reaches is refused, however it is reached for', () => {
  expect(told('localStorage.x = 1\nwindow.indexedDB\nwindow["caches"]\nconst { sessionStorage } = window\ndocument.cookie')).toEqual([
    '1: localStorage',
    '2: indexedDB',
    '3: caches',
    '4: sessionStorage',
    '5: document.cookie',
  ])
  expect(told('const caching = { caches: 1 }; type localStorage = string')).toEqual([])
})

test('[L9] what could speak to somebody outside is refused, and so are frames, in which it would be found again', () => {
  expect(told('new RTCPeerConnection()\nglobalThis["webkitRTCPeerConnection"]\nnew WebTransport("x")')).toEqual([
    '1: RTCPeerConnection',
    '2: webkitRTCPeerConnection',
    '3: WebTransport',
  ])
  expect(told('const a = <iframe srcDoc="" />\ndocument.createElement("IFRAME")\nconst b = <object data="x" />\nconst c = <embed />')).toEqual([
    '1: <iframe>',
    '2: <IFRAME>',
    '3: <object>',
    '4: <embed>',
  ])
  expect(told('const iframe = <p>object</p>; typeof iframe === "object"')).toEqual([])
  expect(checkPage('app/index.html', '<p>\n<iframe src="x"></iframe>')).toEqual([
    { path: 'app/index.html', line: 2, message: expect.stringContaining('<iframe>') as string },
  ])
  expect(checkPage('app/index.html', '<objective>')).toEqual([])
})
