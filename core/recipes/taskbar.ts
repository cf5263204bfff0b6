import { z } from 'zod'
import { vocabulary, type Clause, type Understood } from './intent.ts'
import { alreadySo, did, edit, readSetting, settingPath, writeSetting, type Recipe } from './recipe.ts'

const shape = z.strictObject({ position: z.enum(['top', 'bottom'], 'the taskbar is at the "top" or at the "bottom"') })

const words = vocabulary({
  subject: [
    'taskbar',
    'task bar',
    'bar',
    'dock',
    'panel',
    'toolbar',
    'tool bar',
    'menu bar',
    'menubar',
    'start bar',
    'status bar',
    'taskbars',
  ],
  position: {
    top: [
      'top',
      'up',
      'up there',
      'up top',
      'on top',
      'upper',
      'above',
      'upward',
      'upwards',
      'highest',
      'up high',
      'ceiling',
    ],
    bottom: [
      'bottom',
      'down',
      'down there',
      'down below',
      'below',
      'lower',
      'underneath',
      'downward',
      'downwards',
      'foot',
      'floor',
    ],
  },
  side: ['left', 'right', 'side', 'middle', 'center', 'centre', 'sides'],
  elsewhere: ['other', 'elsewhere', 'somewhere else', 'opposite'],
  glue: [
    'belongs',
    'of',
    'edge',
    'from',
    'end',
    'part',
    'position',
    'along',
    'sit',
    'go',
    'live',
    'be',
    'all the way',
    'should',
  ],
})

/** Where the taskbar is: data, so that moving it changes no code. */
export const taskbarRecipe: Recipe = {
  name: 'taskbar',
  title: 'Taskbar position',
  group: 'Looks',
  hint: 'Puts the taskbar at the top or at the bottom of the screen.',
  example: 'move the taskbar to the top',
  fields: [
    {
      name: 'position',
      label: 'Position',
      kind: 'choice',
      choices: [
        { value: 'top', label: 'Top' },
        { value: 'bottom', label: 'Bottom' },
      ],
      fallback: 'top',
      required: true,
    },
  ],
  parameters: shape,
  single: true,
  intent: { words, read },
  complete: (said) => `move the taskbar to the ${said}`,
  work: edit(shape, [settingPath('taskbar')], ({ position }, files) => {
    if ((readSetting(files, 'taskbar', 'position') ?? 'bottom') === position)
      return alreadySo(`The taskbar is already at the ${position}.`)
    return did(`Moved the taskbar to the ${position}.`, [writeSetting('taskbar', { position })])
  }),
}

function read(clause: Clause): Understood | null {
  if (!clause.has('subject')) return null
  if (clause.verbs.has('remove') || clause.verbs.has('take'))
    return {
      parameters: {},
      negated:
        'I left the taskbar where it is: without it you could not reach your windows. I can put it at the top or at the bottom.',
    }
  const position = clause.values('position').at(-1)
  if (clause.has('neg')) return { parameters: {}, negated: 'I left the taskbar where it is.' }
  if (clause.has('side') || clause.has('elsewhere') || position === undefined) {
    const wants = clause.has('side') || clause.has('elsewhere') || clause.verbs.has('move')
    return wants && !clause.verbs.has('remove')
      ? {
          parameters: {},
          ask: {
            field: 'position',
            question: 'Should the taskbar be at the top or at the bottom?',
            choices: ['Top', 'Bottom'],
          },
        }
      : null
  }
  if (clause.verbs.size > 0 && !['move', 'set', 'add'].some((verb) => clause.verbs.has(verb))) return null
  return { parameters: { position } }
}
