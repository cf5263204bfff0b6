import { z } from 'zod'
import { vocabulary, type Clause } from './intent.ts'
import type { Recipe } from './recipe.ts'

const KINDS = ['all', 'documents', 'apps', 'widgets', 'settings'] as const
const inspectShape = z.strictObject({ what: z.enum(KINDS, `ask for ${KINDS.join(', ')}`).optional() })

const inspectWords = vocabulary({
  query: [
    'do i have any',
    'have i any',
    'what',
    'whats',
    'which',
    'list',
    'how many',
    'tell me',
    'what kind of',
    'what all',
    'give me a list of',
    'make a list of',
    'make me a list of',
    'make a list of all',
    'create a list of',
    'create a list of all',
    'write a list of',
    'i want a list of',
    'i need a list of',
    'id like a list of',
    'list of',
    'a list of',
    'show me a list of',
    'enumerate',
  ],
  noun: {
    documents: ['documents', 'document', 'docs', 'files', 'my files', 'papers', 'artifacts'],
    apps: ['apps', 'applications', 'programs', 'tools'],
    widgets: ['widgets'],
    settings: ['settings', 'preferences', 'looks', 'options', 'configuration'],
    all: ['stuff', 'things', 'everything', 'contents'],
  },
  /** Phrases that are a whole question. */
  whole: ['whats on', 'whats here', 'whats in here', 'what is on', 'what is here', 'what is in here'],
  have: [
    'do i have',
    'have i got',
    'i have',
    'is here',
    'is in here',
    'are there',
    'is there',
    'do we have',
    'is on',
    'are on',
    'is installed',
    'are installed',
    'have i',
    'i own',
    'do i have here',
    'all do i have',
  ],
  /** These speak of duties, not of things. */
  unknown: ['have to', 'do i have to', 'to do', 'have to do'],
  glue: [
    'exist',
    'did i change',
    'have i changed',
    'of',
    'is',
    'are',
    'do',
    'does',
    'so far',
    'currently',
    'exactly',
    'about',
    'inside',
    'saved',
    'available',
    'installed',
    'have',
    'got',
  ],
})

export const inspectRecipe: Recipe = {
  name: 'inspect',
  title: 'What is here',
  group: 'Questions',
  hint: 'Tells which documents, apps, widgets and settings there are.',
  example: 'what do I have here',
  fields: [
    {
      name: 'what',
      label: 'What',
      kind: 'choice',
      choices: KINDS.map((kind) => ({ value: kind, label: kind[0]!.toUpperCase() + kind.slice(1) })),
      fallback: 'all',
      required: false,
    },
  ],
  parameters: inspectShape,
  intent: {
    words: inspectWords,
    read(clause) {
      const asks = clause.has('query') || clause.has('whole') || clause.verbs.has('show')
      const noun = clause.value('noun')
      if (!asks || clause.has('neg') || (clause.verbs.size > 0 && !clause.verbs.has('show'))) return null
      if (noun === undefined && !clause.has('whole') && !asksWhatIsHad(clause)) return null
      if (clause.verbs.has('show') && !clause.has('query') && noun === 'all' && !clause.has('have')) return null
      // "What things can you do" is no question about what is here.
      if (noun === 'all' && clause.has('ask') && !clause.has('have')) return null
      return { parameters: { what: noun ?? 'all' }, strong: true }
    },
  },
  work: { kind: 'inspect' },
}

/** "What do I have"; "I have a list" tells something. */
function asksWhatIsHad(clause: Clause): boolean {
  const query = clause.tag('query')
  const have = clause.tag('have')
  return query !== undefined && have !== undefined && query.from < have.from
}

const none = z.strictObject({})

const checkWords = vocabulary({
  act: [
    'check',
    'verify',
    'test',
    'examine',
    'diagnose',
    'scan',
    'look for',
    'find',
    'run',
    'search',
    'check for',
    'look over',
    'double check',
    'inspect',
    'see if',
    'make sure',
  ],
  fault: [
    'errors',
    'error',
    'problems',
    'problem',
    'bugs',
    'bug',
    'issues',
    'issue',
    'mistakes',
    'faults',
    'broken',
    'wrong',
    'broken code',
    'type errors',
    'anything wrong',
    'anything broken',
  ],
  check: ['checks', 'tests', 'health check', 'checkup', 'check up', 'self test', 'diagnostics', 'verifiers'],
  well: [
    'ok',
    'okay',
    'fine',
    'alright',
    'all right',
    'healthy',
    'working',
    'in order',
    'works',
    'work',
    'good',
    'sound',
  ],
  code: ['code', 'apps', 'app', 'files'],
  be: ['does', 'do', 'is', 'are', 'there', 'has', 'have'],
  glue: ['for', 'any', 'of', 'anything', 'something', 'still', 'all', 'with', 'whether', 'if'],
})

/**
 * The toolchain's own verifiers, on the Associate's copy: their answer is only for reading, and nothing lands because
 * of it.
 */
const VERIFY = ['transform', 'policy'].map((verifier) => ['/opt/choir/node', `/opt/choir/verify/${verifier}.mjs`])

export const checkRecipe: Recipe = {
  name: 'check',
  title: 'Check for errors',
  group: 'Questions',
  hint: 'Looks through the desktop’s code for mistakes, and changes nothing.',
  example: 'check my desktop for errors',
  fields: [],
  parameters: none,
  single: true,
  intent: {
    words: checkWords,
    read(clause) {
      const about = clause.has('desk') || clause.has('it') || clause.has('code')
      const acts =
        clause.value('fault')?.startsWith('anything') === true ||
        (clause.has('act') && (clause.has('fault') || clause.has('check') || (about && clause.verbs.size === 0)))
      const asks = clause.has('be') && (clause.has('fault') || (clause.has('well') && about))
      if (clause.has('neg') || clause.verbs.has('remove')) return null
      return acts || asks ? { parameters: {}, strong: true } : null
    },
  },
  work: { kind: 'run', commands: VERIFY },
}

const helpWords = vocabulary({
  help: [
    'help',
    'help me',
    'what can you do',
    'how can you help me',
    'how can you help',
    'what you can do',
    'how do i use this',
    'how do i use it',
    'what recipes are there',
    'recipes',
    'what can i do',
    'what can i say',
    'what can i ask',
    'what can i ask for',
    'what can i ask you',
    'what are you able to do',
    'how does this work',
    'how does it work',
    'what do you do',
    'what can you help with',
    'what else can you do',
    'what should i say',
    'what are my options',
    'what else',
    'who are you',
    'what commands are there',
    'commands',
    'what is possible',
    'whats possible',
    'what is this',
  ],
  /** Both together ask the same, with words between them: "what kind of things can you do". */
  query: [
    'what',
    'which',
    'what kind of',
    'what sort of',
    'what kinds of',
    'what sorts of',
    'tell me what',
    'what all',
  ],
  ability: ['can you do', 'can you all do', 'can you help with', 'can you help me with', 'can i ask for', 'can i do'],
  glue: ['here', 'with', 'for', 'all', 'things', 'stuff', 'kind', 'everything'],
})

export const helpRecipe: Recipe = {
  name: 'help',
  title: 'What can I ask?',
  group: 'Questions',
  hint: 'A few sentences to try.',
  example: 'what can you do',
  fields: [],
  parameters: none,
  single: true,
  intent: {
    words: helpWords,
    read: (clause) =>
      (clause.has('help') || (clause.has('query') && clause.has('ability'))) &&
      (clause.verbs.size === 0 || clause.verbs.has('show')) &&
      !clause.has('neg')
        ? { parameters: {}, strong: true }
        : null,
  },
  work: { kind: 'answer' },
}
