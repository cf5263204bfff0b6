import { expect, test } from 'vitest'
import { toLook } from './look.ts'

const USUAL = { theme: 'dark', accent: null, wallpaper: 'plain', fontSizePx: 14, taskbar: 'bottom' }
const NOTHING = {
  'theme': undefined,
  'accent': undefined,
  'wallpaper': undefined,
  'font-size': undefined,
  'taskbar': undefined,
}

test('what is not set looks as usual', () => {
  expect(toLook(NOTHING)).toEqual(USUAL)
})

test('each setting is read from its own file', () => {
  expect(
    toLook({
      'theme': { theme: 'light' },
      'accent': { accent: '#0F7b74' },
      'wallpaper': { wallpaper: 'dunes' },
      'font-size': { fontSize: 18 },
      'taskbar': { position: 'top' },
    }),
  ).toEqual({ theme: 'light', accent: '#0F7b74', wallpaper: 'dunes', fontSizePx: 18, taskbar: 'top' })
})

test('a wallpaper may be one plain colour', () => {
  expect(toLook({ ...NOTHING, wallpaper: { wallpaper: '#223344' } }).wallpaper).toEqual({ colour: '#223344' })
})

test.each([
  ['theme', { theme: 'sepia' }],
  ['theme', 'light'],
  ['accent', { accent: 'red;}*{display:none' }],
  ['accent', { accent: '#fff' }],
  ['accent', null],
  ['wallpaper', { wallpaper: 'toString' }],
  ['wallpaper', { wallpaper: ['dusk'] }],
  ['font-size', { fontSize: '16' }],
  ['font-size', { fontSize: 400 }],
  ['font-size', { fontSize: Number.NaN }],
  ['taskbar', { position: 'left' }],
  ['taskbar', ['top']],
])('a %s of %j counts as not set', (name, value) => {
  expect(toLook({ ...NOTHING, [name]: value })).toEqual(USUAL)
})
