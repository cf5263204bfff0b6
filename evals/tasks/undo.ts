import {
  accentIs,
  accentIsOwn,
  barIsAt,
  hasApp,
  hasDocument,
  hasNoApp,
  nothingChanged,
  replied,
  themeIs,
} from '../checks.ts'
import type { EvalTask } from '../task.ts'

const TEAL = 'rgb(0, 128, 128)'

export const UNDO: readonly EvalTask[] = [
  {
    name: 'undo one',
    group: 'undo',
    prompts: ['make it light', 'undo that'],
    wanted: [nothingChanged, themeIs('dark')],
  },
  {
    name: 'the last of two',
    group: 'undo',
    prompts: ['make the accent teal', 'put the taskbar at the top', 'take that back'],
    wanted: [barIsAt('bottom'), accentIs(TEAL)],
  },
  {
    name: 'redo',
    group: 'undo',
    prompts: ['make it light', 'undo that', 'redo that'],
    wanted: [themeIs('light')],
  },
  {
    name: 'one by its name',
    group: 'undo',
    prompts: ['make the accent teal', 'put the taskbar at the top', 'undo the accent'],
    wanted: [accentIsOwn, barIsAt('top')],
  },
  {
    name: 'two at once',
    group: 'undo',
    prompts: ['make it light', 'make the accent teal', 'undo the last two changes'],
    wanted: [nothingChanged, themeIs('dark'), accentIsOwn],
  },
  {
    name: 'back to a checkpoint',
    group: 'undo',
    prompts: ['save this state as quiet', 'make it light', 'make the accent teal', 'go back to quiet'],
    wanted: [nothingChanged, themeIs('dark'), accentIsOwn],
  },
  {
    name: 'a deleted document',
    group: 'undo',
    prompts: [
      'write a document called Plan saying buy seeds',
      'delete the document Plan',
      'I still need it, bring back the document Plan',
    ],
    wanted: [hasDocument({ name: /plan/i, text: /buy seeds/i })],
  },
  {
    name: 'an app goes, the rest stays',
    group: 'undo',
    prompts: ['give me somewhere to keep a shopping list', 'a timer for tea', 'undo the shopping list'],
    wanted: [hasNoApp(/shopping/i), hasApp(/tea|timer/i)],
  },
  {
    name: 'what changed',
    group: 'undo',
    prompts: ['make it light', 'make the accent teal', 'what changed lately?'],
    wanted: [replied(/teal/i), replied(/light/i), themeIs('light')],
  },
  {
    name: 'later work stays',
    group: 'undo',
    prompts: ['make it light', 'write a document called Ideas saying a red kite', 'undo the theme change'],
    wanted: [themeIs('dark'), hasDocument({ name: /ideas/i, text: /a red kite/i })],
  },
]
