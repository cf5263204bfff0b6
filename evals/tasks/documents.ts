import { documentShows, hasDocument, hasNoDocument } from '../checks.ts'
import { must, type EvalTask } from '../task.ts'

const PLAN = 'write a document called Trip plan saying pack the map and call Ana'

export const DOCUMENTS: readonly EvalTask[] = [
  {
    name: 'a document',
    group: 'documents',
    prompts: ['write a document called Trip plan saying pack the map'],
    wanted: [hasDocument({ name: /trip/i, text: /pack the map/i }), documentShows(/trip/i, /pack the map/i)],
  },
  {
    name: 'a letter',
    group: 'documents',
    prompts: ['write a short letter to my landlord about the broken heating and keep it as a document'],
    wanted: [
      hasDocument({ text: /heating/i }),
      hasDocument({ text: /\bdear\b|\bhello\b|to whom/i }),
      async (world) => {
        const words = [...(await world.documents()).values()].map((text) => text.split(/\s+/).length)
        must(Math.max(0, ...words) >= 50, 'the letter has fewer than fifty words')
      },
    ],
  },
  {
    name: 'a table',
    group: 'documents',
    prompts: ['make a Markdown document with a table of the planets and their number of moons'],
    wanted: [
      hasDocument({ text: /\|.*Jupiter.*\|/i }),
      async (world) => {
        const text = [...(await world.documents()).values()].join('\n')
        const missing = ['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptune'].filter(
          (planet) => !new RegExp(`\\|.*${planet}.*\\|`).test(text),
        )
        must(missing.length === 0, `the table lacks ${missing.join(', ')}`)
        must(/\|\s*:?-{2,}/.test(text), 'it is no Markdown table')
      },
    ],
  },
  {
    name: 'a summary',
    group: 'documents',
    prompts: [PLAN, 'summarise my trip plan in a new document'],
    wanted: [
      async (world) => must((await world.documents()).size >= 2, 'there is no second document'),
      async (world) => {
        const texts = [...(await world.documents()).values()].filter((text) => /map|ana/i.test(text))
        must(texts.length >= 2, 'the summary says nothing of the plan')
      },
    ],
    always: [hasDocument({ name: /trip/i, text: /call Ana/i })],
  },
  {
    name: 'another name',
    group: 'documents',
    prompts: [PLAN, 'rename my document Trip plan to Summer trip'],
    wanted: [hasDocument({ name: /summer/i, text: /call Ana/i }), hasNoDocument(/trip-plan/i)],
  },
  {
    name: 'a translation',
    group: 'documents',
    prompts: [
      'write a document called Note saying the cat sleeps on the sofa',
      'translate the document Note into German and keep it as a new document',
    ],
    wanted: [hasDocument({ text: /Katze.*Sofa|Sofa.*Katze/is })],
    always: [hasDocument({ text: /the cat sleeps on the sofa/i })],
  },
  {
    name: 'sorted lines',
    group: 'documents',
    prompts: [
      'write a document called Names saying Zoe, Adam, Maria and Ben',
      'put the names in my document Names into a list, one per line, sorted by the alphabet',
    ],
    wanted: [hasDocument({ name: /names/i, text: /Adam[\s\S]*\n.*Ben[\s\S]*\n.*Maria[\s\S]*\n.*Zoe/ })],
  },
  {
    name: 'a packing list',
    group: 'documents',
    prompts: [PLAN, 'add a checklist with ten things to pack to the end of my trip plan'],
    wanted: [
      async (world) => {
        const items = [...(await world.documents()).values()].join('\n').match(/^\s*[-*] (\[[ x]\] )?\S/gim) ?? []
        must(items.length >= 10, `the checklist has ${items.length} things`)
      },
      hasDocument({ name: /trip/i, text: /- \[ \]/ }),
    ],
    always: [hasDocument({ text: /call Ana/i })],
  },
  {
    name: 'one of two goes',
    group: 'documents',
    prompts: [
      'write a document called Draft saying old words',
      'write a document called Final saying new words',
      'delete the document Draft',
    ],
    wanted: [hasNoDocument(/draft/i)],
    always: [hasDocument({ name: /final/i, text: /new words/i })],
  },
  {
    name: 'spelling',
    group: 'documents',
    prompts: [
      'write a document called Letter saying I recieve teh parcel tomorow',
      'mend the spelling in my document Letter',
    ],
    wanted: [
      hasDocument({ name: /letter/i, text: /I receive the parcel tomorrow/i }),
      documentShows(/letter/i, /receive the parcel/i),
    ],
  },
]
