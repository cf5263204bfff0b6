import { array, property, assert as hold, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { readMarkdown, type Block } from './markdown.ts'

const plain = (text: string) => ({ kind: 'text', text })

test('the forms that models use', () => {
  const text = [
    '## What you have',
    'A **timer** with `Start`, and *more*.',
    'Second line.',
    '',
    '- one',
    '- two',
    '  goes on',
    '1. first',
    '```ts',
    'const a = 1',
    '',
    '- no list',
    '```',
    '> said',
    '| a | b |',
    '|---|---|',
    'See [the page](https://example.org/a).',
  ].join('\n')
  expect(readMarkdown(text)).toEqual([
    { kind: 'heading', spans: [plain('What you have')] },
    {
      kind: 'paragraph',
      spans: [
        plain('A '),
        { kind: 'strong', text: 'timer' },
        plain(' with '),
        { kind: 'code', text: 'Start' },
        plain(', and '),
        { kind: 'emphasis', text: 'more' },
        plain('.\nSecond line.'),
      ],
    },
    { kind: 'list', ordered: false, items: [[plain('one')], [plain('two\ngoes on')]] },
    { kind: 'list', ordered: true, items: [[plain('first')]] },
    { kind: 'code', text: 'const a = 1\n\n- no list' },
    { kind: 'quote', spans: [plain('said')] },
    { kind: 'code', text: '| a | b |\n|---|---|' },
    {
      kind: 'paragraph',
      spans: [plain('See '), { kind: 'link', text: 'the page', address: 'https://example.org/a' }, plain('.')],
    },
  ])
})

test('what only looks like Markdown stays as it is', () => {
  for (const text of ['2 * 3 * 4', 'snake_case_name', '[x](javascript:alert(1))', 'a ** b', '<b>no</b>'])
    expect(readMarkdown(text)).toEqual([{ kind: 'paragraph', spans: [plain(text)] }])
})

function wordsIn(block: Block): string {
  if (block.kind === 'code') return block.text
  return (block.kind === 'list' ? block.items.flat() : block.spans).map(({ text }) => text).join(' ')
}

test('no word is left out, whatever is said', () => {
  const letters = (words: string) => words.replaceAll(/[^a-z]/g, '')
  const said = array(stringMatching(/^[a-z*_#>| -]{0,20}$/), { maxLength: 12 })
  hold(
    property(said, (lines) => {
      const text = lines.join('\n')
      return letters(readMarkdown(text).map(wordsIn).join(' ')) === letters(text)
    }),
  )
  expect(letters('A b!')).toBe('b')
})

test('[L11] no answer holds up the page that shows it, whatever it is made of', () => {
  const starts = ['', '# ', '- ', '1. ', '> ', '| ', '**', '[', '```\n', '_a']
  const fills = [
    ' ',
    '#',
    ' #',
    '*',
    '**a',
    '_',
    '_ a',
    '[',
    '[a](',
    '`',
    '|',
    '| ',
    '>',
    '- ',
    '\n- ',
    '\n  ',
    '\t',
    'a',
  ]
  const texts = starts.flatMap((start) =>
    fills.flatMap((fill) =>
      ['', 'y', 'y\u2028z', '\r', ')'].map((end) => start + fill.repeat(16_000 / fill.length) + end),
    ),
  )
  let longestMs = 0
  for (const text of texts) {
    const beganMs = performance.now()
    readMarkdown(text)
    longestMs = Math.max(longestMs, performance.now() - beganMs)
  }
  expect(longestMs).toBeLessThan(1000)
}, 60_000)
