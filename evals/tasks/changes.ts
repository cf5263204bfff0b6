import { hasApp, hasNoApp, looks } from '../checks.ts'
import { must, soon, type EvalTask } from '../task.ts'

const LETTER = 'write a document called Letter saying dear Ana'

export const CHANGES: readonly EvalTask[] = [
  {
    name: 'rename an app',
    group: 'changes',
    prompts: ['rename the Writer app to Typewriter in the taskbar'],
    wanted: [hasApp(/^typewriter$/i), hasNoApp(/^writer$/i)],
  },
  {
    name: 'empty desktop text',
    group: 'changes',
    prompts: ['change the words on the empty desktop so that they say Welcome home'],
    wanted: [
      looks(
        ({ text }) => text.includes('Welcome home'),
        ({ text }) => `the empty desktop says ${text.slice(0, 80)}`,
      ),
    ],
  },
  {
    name: 'character count',
    group: 'changes',
    prompts: [LETTER, 'in Writer, show the number of characters beside the number of words'],
    wanted: [
      async (world) => {
        const letter = await (await world.page()).openDocument(/letter/i)
        await letter.shows(/\d+ char/i, 'Writer shows no number of characters')
      },
      async (world) => {
        const letter = await (await world.page()).openDocument(/letter/i)
        const count = async () => Number(/(\d+) char/i.exec(await letter.text())?.[1])
        const before = await count()
        await letter.typeAtEnd('ab')
        await soon(async () => (await count()) === before + 2, 'two more letters are not two more characters')
      },
    ],
  },
  {
    name: 'confirm delete',
    group: 'changes',
    prompts: [LETTER, 'Files should ask before it deletes something'],
    wanted: [
      async (world) => {
        const files = await (await world.page()).openApp(/^files$/i)
        await files.press(/artifacts/i).catch(() => {})
        await files.press(/letter/i)
        await files.press(/delete|remove/i)
        await files.shows(/sure|really|delete .*\?|cancel|keep/i, 'Files does not ask before it deletes')
        const documents = await world.documents()
        must(
          [...documents.keys()].some((path) => /letter/i.test(path)),
          'it was deleted before anybody agreed',
        )
      },
    ],
  },
  {
    name: 'remove what was added',
    group: 'changes',
    prompts: ['add a clock', 'remove the clock'],
    wanted: [
      async (world) => {
        const widgets = await (await world.page()).widgets()
        must(!widgets.some((text) => /\d:\d\d/.test(text)), 'the clock is still there')
      },
    ],
  },
  {
    name: 'filter in Files',
    group: 'changes',
    prompts: [
      LETTER,
      'write a document called Budget saying rent',
      'give Files a field that shows only files whose name contains what I type',
    ],
    wanted: [
      async (world) => {
        const files = await (await world.page()).openApp(/^files$/i)
        await files.press(/artifacts/i).catch(() => {})
        await files.fill('budg')
        await files.shows(/budget/i)
        await soon(async () => !/letter\.md/i.test(await files.text()), 'files that do not fit are still shown')
      },
    ],
  },
  {
    name: 'titles in capitals',
    group: 'changes',
    prompts: ['show the titles of all windows in capital letters'],
    wanted: [
      async (world) => {
        const files = await (await world.page()).openApp(/^files$/i)
        const { text, transform } = await files.title()
        must(transform === 'uppercase' || text === text.toUpperCase(), `the title is “${text}”`)
      },
    ],
  },
  {
    name: 'date into Writer',
    group: 'changes',
    prompts: [LETTER, 'put a button into Writer that adds today’s date at the end of the document'],
    wanted: [
      async (world) => {
        const letter = await (await world.page()).openDocument(/letter/i)
        await letter.press(/date|today/i)
        const year = String(new Date().getFullYear())
        await soon(
          async () => [...(await world.documents()).values()].some((text) => text.includes(year)),
          'the document has no date after the button was pressed',
        )
      },
      async (world) => {
        const [text] = [...(await world.documents()).values()]
        must(/dear ana/i.test(text ?? ''), 'what was in the document is gone')
      },
    ],
  },
  {
    name: 'sorted list',
    group: 'changes',
    prompts: [
      'give me somewhere to keep a shopping list',
      'in my shopping list, show the items in the order of the alphabet, whatever order I add them in',
    ],
    wanted: [
      async (world) => {
        const list = await (await world.page()).openApp(/shopping/i)
        for (const item of ['tea', 'apples', 'milk']) {
          await list.fill(item)
          await list.submit()
        }
        await list.shows(/apples[\s\S]*milk[\s\S]*tea/, 'the items are not in the order of the alphabet')
      },
    ],
  },
  {
    name: 'double click opens Files',
    group: 'changes',
    prompts: ['a double click on the empty desktop should open Files'],
    wanted: [
      async (world) => {
        const page = await world.page()
        const before = await page.windowCount()
        await page.doubleClickGround()
        await soon(async () => (await page.windowCount()) > before, 'no window opened after a double click')
      },
    ],
  },
]
