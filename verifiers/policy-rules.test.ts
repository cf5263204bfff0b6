import { expect, test } from 'vitest'
import { checkName, checkPage, checkScript } from './policy-rules.ts'

const told = (text: string) => [
  ...new Set(checkScript('app/apps/x/x.tsx', text).map(({ line, message }) => `${line}: ${message.split(':')[0]}`)),
]

test('state that no undo reaches is refused, however it is reached for', () => {
  expect(
    told('localStorage.x = 1\nwindow.indexedDB\nwindow["caches"]\nconst { sessionStorage } = window\ndocument.cookie'),
  ).toEqual(['1: localStorage', '2: indexedDB', '3: caches', '4: sessionStorage', '5: document.cookie'])
  expect(told('const caching = { caches: 1 }; type localStorage = string')).toEqual([])
})

test('[L9] what could speak to somebody outside is refused, and so are frames, in which it would be found again', () => {
  expect(told('new RTCPeerConnection()\nglobalThis["webkitRTCPeerConnection"]\nnew WebTransport("x")')).toEqual([
    '1: RTCPeerConnection',
    '2: webkitRTCPeerConnection',
    '3: WebTransport',
  ])
  expect(
    told(
      'const a = <iframe srcDoc="" />\ndocument.createElement("IFRAME")\nconst b = <object data="x" />\nconst c = <embed />',
    ),
  ).toEqual(['1: <iframe>', '2: <IFRAME>', '3: <object>', '4: <embed>'])
  expect(told('const iframe = <p>object</p>; typeof iframe === "object"')).toEqual([])
  expect(checkPage('app/index.html', '<p>\n<iframe src="x"></iframe>')).toEqual([
    { path: 'app/index.html', line: 2, message: expect.stringContaining('<iframe>') as string },
  ])
  expect(checkPage('app/index.html', '<objective>')).toEqual([])
})

test('what waits for a form to be sent is refused, for nothing is ever sent; a form that only groups is not', () => {
  expect(
    told('const a = <form onSubmit={go} />\nconst b = <form action={go} />\nconst c = <button formAction={go} />'),
  ).toEqual(['1: onSubmit', '2: action', '3: formAction'])
  expect(told('const a = <form><Menu action={go} onSubmit={go} /></form>')).toEqual([])
})

test('what a tool would take for its configuration is refused by its name', () => {
  const refused = (names: string) => names.split(' ').filter((name) => checkName(name).length > 0)
  const configuration =
    'app/tsconfig.json app/apps/x/tsconfig.build.json app/jsconfig.json app/package.json app/.env app/.env.development.local app/.postcssrc app/.postcssrc.json ' +
    'app/.browserslistrc app/browserslist app/.babelrc app/postcss.config.mjs app/vite.config.ts app/vitest.config.js app/shell/lightningcss.config.json ' +
    'app/svelte.config.js app/webpack.config.js app/types.d.ts app/x/look.d.css.ts app/types.d.mts tsconfig.json package.json .env'
  expect(refused(configuration)).toEqual(configuration.split(' '))
  expect(
    refused(
      'app/apps/clock/config.ts app/environment.ts app/package.tsx app/search.ts artifacts/site/package.json artifacts/types.d.ts app/apps/x/d.ts',
    ),
  ).toEqual([])
})

test('what would silence the compiler is refused; one expected error is not', () => {
  expect(told('// @ts-nocheck\nexport const a = 1\n/* @ts-ignore */\nexport const b = 2')).toEqual([
    '1: @ts-nocheck',
    '3: @ts-ignore',
  ])
  expect(told('/* eslint-disable */ /** @ts-nocheck */\nexport const a = 1')).toEqual(['1: @ts-nocheck'])
  expect(told('/// <reference types="node" />\nexport const a = 1')).toEqual(['1: /// <reference>'])
  expect(told("declare module '*'\ndeclare module 'react' { const x: any }")).toEqual([
    "1: declare module '*'",
    "2: declare module 'react'",
  ])
  expect(
    told(
      '// @ts-expect-error: the type is too narrow\nexport const a: string = 1\nexport const b = "@ts-nocheck"\ndeclare global { interface Window { x: 1 } }',
    ),
  ).toEqual([])
})

test('a page imports nothing of Node; a test its runner and its assertions, and nothing else', () => {
  const found = (path: string, text: string) =>
    checkScript(path, text).map(({ line, message }) => `${line} ${message.split(':').slice(0, 2).join(':')}`)
  const all =
    "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nexport { readFileSync } from 'node:fs'\nvoid import('node:os')\n"
  expect(found('app/apps/dice/roll.test.ts', all)).toEqual(['3 node:fs', '4 node:os'])
  expect(found('app/apps/dice/roll.ts', all)).toEqual(['1 node:test', '2 node:assert/strict', '3 node:fs', '4 node:os'])
})
