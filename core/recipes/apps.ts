import { z } from 'zod'
import type { AppKind } from './app-titles.ts'
import { APP_WORDS, readApp } from './app-words.ts'
import { addExtension, FOLDERS, isTaken, madeExtensions } from './extensions.ts'
import { alreadySo, edit, type Recipe } from './recipe.ts'
import { cleanTitle, freeSlug, slugOf } from './titles.ts'

const shape = z.strictObject({ title: z.string().optional() })

function appRecipe(kind: AppKind, usual: string, words: { title: string; hint: string; example: string }): Recipe {
  return {
    name: kind,
    ...words,
    group: 'Apps',
    fields: [{ name: 'title', label: 'Title', kind: 'text', choices: [], fallback: usual, required: false }],
    parameters: shape,
    intent: {
      words: APP_WORDS,
      open: true,
      read(clause) {
        const found = readApp(clause)
        return found === null || found.kind !== kind ? null : found.understood
      },
    },
    work: edit(shape, [FOLDERS.apps], (parameters, files) => {
      const given = cleanTitle(parameters.title ?? '')
      const title = given === '' ? usual : given
      if (madeExtensions(files, 'apps').some((app) => app.recipe === kind && app.title === title))
        return alreadySo(`You already have “${title}” in the taskbar.`)
      const slug = slugOf(title, kind)
      // The id is also the beginning of class names, which must not start with a digit.
      const id = freeSlug(/^[a-z]/.test(slug) ? slug : `${kind}-${slug}`, (candidate) =>
        isTaken(files, 'apps', candidate),
      )
      return addExtension(
        files,
        'apps',
        id,
        { recipe: kind, title, constants: {} },
        `Made “${title}” for you.`,
        'It is in the taskbar.',
      )
    }),
  }
}

export const notesRecipe = appRecipe('notes', 'Notes', {
  title: 'A place for notes',
  hint: 'A small app that keeps notes, under a title of your own.',
  example: 'I need a place for my recipes',
})

export const todoRecipe = appRecipe('todo', 'To do', {
  title: 'A list to tick off',
  hint: 'A small app for a shopping list, chores or anything else to tick off.',
  example: 'give me somewhere to keep a shopping list',
})

export const timerRecipe = appRecipe('timer', 'Timer', {
  title: 'A timer',
  hint: 'A small app that counts down minutes.',
  example: 'a timer for tea',
})
