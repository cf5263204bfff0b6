import { expect, test } from 'vitest'
import { SEE_DESCRIPTION } from '@choiros/core/seen-words.ts'
import { readKey } from './keys.ts'

const [ALT, CTRL, META, SHIFT] = [1, 2, 4, 8]
const short = (press: string) => {
  const { key, modifiers, text } = readKey(press)
  return [key, modifiers, text]
}

test.each([
  ['Control+a', 'a', CTRL, null],
  ['Ctrl+a', 'a', CTRL, null],
  ['CTRL + A', 'a', CTRL, null],
  ['cmd+k', 'k', META, null],
  ['Command+k', 'k', META, null],
  ['Meta+k', 'k', META, null],
  ['Option+x', 'x', ALT, null],
  ['Ctrl+Shift+z', 'Z', CTRL | SHIFT, null],
  ['Shift+a', 'A', SHIFT, 'A'],
  ['A', 'A', SHIFT, 'A'],
  ['a', 'a', 0, 'a'],
  ['Shift+1', '!', SHIFT, '!'],
  ['?', '?', SHIFT, '?'],
  ['Ctrl+-', '-', CTRL, null],
  ['Ctrl++', '+', CTRL | SHIFT, null],
  ['+', '+', SHIFT, '+'],
  ['ß', 'ß', 0, 'ß'],
  ['Esc', 'Escape', 0, null],
  ['escape', 'Escape', 0, null],
  ['Return', 'Enter', 0, '\r'],
  ['ENTER', 'Enter', 0, '\r'],
  ['del', 'Delete', 0, null],
  ['Space', ' ', 0, ' '],
  [' ', ' ', 0, ' '],
  ['Ctrl+Space', ' ', CTRL, null],
  ['Left', 'ArrowLeft', 0, null],
  ['arrowdown', 'ArrowDown', 0, null],
  ['Shift+Tab', 'Tab', SHIFT, null],
  ['pageup', 'PageUp', 0, null],
  ['f12', 'F12', 0, null],
])('%j is the key that whoever wrote it meant', (press, key, modifiers, text) => {
  expect(short(press)).toEqual([key, modifiers, text])
})

test('a character has its place on the keyboard: the number of a full stop is not that of Delete', () => {
  expect(readKey('.')).toMatchObject({ code: 'Period', windowsVirtualKeyCode: 190 })
  expect(readKey('Delete')).toMatchObject({ code: 'Delete', windowsVirtualKeyCode: 46 })
  expect(readKey('%')).toMatchObject({ code: 'Digit5', windowsVirtualKeyCode: 53 })
  expect(readKey('Ctrl+a')).toMatchObject({ code: 'KeyA', windowsVirtualKeyCode: 65 })
  expect(readKey('F5')).toMatchObject({ code: 'F5', windowsVirtualKeyCode: 116 })
})

test.each(['Hyper+a', 'Enterr', 'ab', 'Ctrl', 'a+Ctrl', 'F13', '', 'constructor+a', '+a'])(
  '%j is refused with words that say which keys there are, and not pressed as something else',
  (press) => {
    expect(() => readKey(press)).toThrow(/^there is no key .*Enter, Escape,.*F1 to F12.*Ctrl\+/)
  },
)

test('the keys that agents are told of are there', () => {
  const told = [...SEE_DESCRIPTION.matchAll(/"([^"]+)"/g)].map(([, press]) => press ?? '')
  expect(told.length).toBeGreaterThan(3)
  for (const press of told) readKey(press)
})
