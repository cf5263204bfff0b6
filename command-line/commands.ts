import type { Entry } from './command.ts'

/** In groups, as help shows them. */
export const COMMAND_GROUPS: readonly Readonly<Record<string, Entry>>[] = [
  {
    start: {
      usage: [{ form: '[--port N]', says: 'runs ChoirOS here until Ctrl-C and prints a sign-in link' }],
      options: ['port'],
      loadLocal: async () => (await import('./start.ts')).start,
    },
    stop: {
      usage: [
        { form: '[--run ID | --all]', says: 'stop what is going on; where nothing is, or with --all: ChoirOS itself' },
      ],
      options: ['run', 'all'],
      loadLocal: async () => (await import('./stop.ts')).stop,
    },
    status: {
      usage: [{ form: '', says: 'what is running and what there is' }],
      options: [],
      load: async () => (await import('./computers.ts')).status,
    },
    doctor: {
      usage: [
        { form: '', says: 'what this machine has, what is weaker for it, and what to do; needs nothing running' },
      ],
      options: [],
      loadLocal: async () => (await import('./doctor/doctor.ts')).doctor,
    },
    link: {
      usage: [{ form: '', says: 'a fresh one-time sign-in link' }],
      options: [],
      load: async () => (await import('./computers.ts')).link,
    },
    computer: {
      usage: [{ form: 'add NAME | list', says: 'make a computer, or list yours' }],
      options: [],
      actions: ['add', 'list'],
      load: async () => (await import('./computers.ts')).computer,
    },
  },
  {
    prompt: {
      usage: [
        { form: '"WHAT YOU WANT" [--wait]', says: 'ask for a change, or answer a question; --wait: see it through' },
      ],
      options: ['wait'],
      load: async () => (await import('./runs.ts')).prompt,
    },
    runs: {
      usage: [
        { form: '', says: 'what was asked for, and what became of it' },
        { form: '--diff RUN [PATH]', says: 'what one of them changed, line by line' },
        { form: '--pictures RUN FOLDER', says: 'what one of them looks like, before and after, as files there' },
        { form: '--continue RUN [--wait]', says: 'ask again for one that did not land, beginning with what it left' },
        { form: '--drop RUN', says: 'forget what one of them left' },
      ],
      options: ['diff', 'pictures', 'continue', 'drop', 'wait'],
      load: async () => (await import('./runs.ts')).runs,
    },
    steer: {
      usage: [{ form: '"WHAT TO MIND"', says: 'add to what is being worked on' }],
      options: [],
      load: async () => (await import('./runs.ts')).steer,
    },
    answer: {
      usage: [{ form: '["ANSWER" …]', says: 'answer what it asks, in order; left out: what it offers' }],
      options: [],
      load: async () => (await import('./runs.ts')).answer,
    },
    memory: {
      usage: [
        { form: '[list]', says: 'what is remembered, and why' },
        { form: 'add "WHAT" | correct NOTE "WHAT" | forget NOTE', says: 'tell something, put right, take out' },
        { form: 'back NOTE', says: 'take back what you corrected or forgot' },
      ],
      options: [],
      actions: ['list', 'add', 'correct', 'forget', 'back'],
      load: async () => (await import('./memory.ts')).memory,
    },
  },
  {
    model: {
      usage: [
        {
          form: 'set --provider anthropic|bedrock|openai-compatible --model NAME [--fast NAME] [--url URL] [--key -] [--prices INPUT,OUTPUT] [--sees]',
          says: 'which language model the agents use; --key - reads the key from standard input, prices are per million tokens, --sees: it can look at pictures',
        },
        { form: 'test | list | remove', says: 'does it answer?' },
        {
          form: 'caps [--run N] [--day N] [--total N|none] [--money N|none]',
          says: 'what it may cost on a computer: tokens in a run, in a day and in all, money in a day; without options: what is used of that',
        },
      ],
      options: ['provider', 'url', 'model', 'fast', 'key', 'prices', 'sees', 'run', 'day', 'total', 'money'],
      actions: ['set', 'test', 'list', 'remove', 'caps'],
      load: async () => (await import('./model.ts')).model,
    },
    mood: {
      usage: [
        {
          form: '[NAME|auto]',
          says: 'how carefully agents work and why; NAME chooses it, auto leaves it to the rules',
        },
      ],
      options: [],
      load: async () => (await import('./policy.ts')).mood,
    },
    leases: {
      usage: [{ form: '[revoke ID]', says: 'what the run at work may do; revoke takes one back' }],
      options: [],
      actions: ['revoke'],
      load: async () => (await import('./policy.ts')).leases,
    },
    approvals: {
      usage: [{ form: '[revoke ID]', says: 'what waits for your leave, and what is always allowed here' }],
      options: [],
      actions: ['revoke'],
      load: async () => (await import('./policy.ts')).approvals,
    },
    approve: {
      usage: [{ form: 'once|run|computer|deny [ID]', says: 'allow what waits, or do not' }],
      options: [],
      actions: ['once', 'run', 'computer', 'deny'],
      load: async () => (await import('./policy.ts')).approve,
    },
  },
  {
    write: {
      usage: [{ form: 'PATH [--exec] [--symlink TARGET] [--from HASH|none]', says: 'put standard input into a file' }],
      options: ['exec', 'symlink', 'from'],
      load: async () => (await import('./write.ts')).write,
    },
    rm: {
      usage: [{ form: 'PATH', says: 'delete a file or folder' }],
      options: [],
      load: async () => (await import('./files.ts')).rm,
    },
    mv: {
      usage: [{ form: 'PATH NEW-PATH', says: 'rename or move' }],
      options: [],
      load: async () => (await import('./files.ts')).mv,
    },
    mkdir: {
      usage: [{ form: 'PATH', says: 'make a folder' }],
      options: [],
      load: async () => (await import('./files.ts')).mkdir,
    },
    ls: {
      usage: [{ form: '[PATH] [--at SEQ]', says: 'list a folder' }],
      options: ['at'],
      load: async () => (await import('./files.ts')).ls,
    },
    cat: {
      usage: [{ form: 'PATH [--at SEQ]', says: 'print a file, now or as it was' }],
      options: ['at'],
      load: async () => (await import('./files.ts')).cat,
    },
    tree: {
      usage: [{ form: '[--at SEQ]', says: 'every file, and the hash of all of them' }],
      options: ['at'],
      load: async () => (await import('./files.ts')).tree,
    },
    events: {
      usage: [{ form: '[--after SEQ] [--follow]', says: 'the log' }],
      options: ['after', 'follow'],
      load: async () => (await import('./events.ts')).events,
    },
  },
  {
    undo: {
      usage: [
        {
          form: '[--run ID | --event SEQ | --to SEQ] [--preview]',
          says: 'take back what was done last, by you or for you; one run or event, keeping everything since; or everything after a point',
        },
      ],
      options: ['run', 'event', 'to', 'preview'],
      load: async () => (await import('./history.ts')).undo,
    },
    redo: {
      usage: [{ form: '[--preview]', says: 'take the last undo back' }],
      options: ['preview'],
      load: async () => (await import('./history.ts')).redo,
    },
    restore: {
      usage: [{ form: 'SEQ|CHECKPOINT [--preview]', says: 'files and windows as they were' }],
      options: ['to', 'preview'],
      load: async () => (await import('./history.ts')).restore,
    },
    checkpoint: {
      usage: [{ form: '[NAME] [--list]', says: 'name this point; it is also a git commit' }],
      options: ['list'],
      load: async () => (await import('./history.ts')).checkpoint,
    },
    fork: {
      usage: [{ form: 'NAME [--at SEQ]', says: 'a new computer from any point of this one' }],
      options: ['at'],
      load: async () => (await import('./history.ts')).fork,
    },
  },
  {
    export: {
      usage: [
        {
          form: 'FILE [--rescue]',
          says: 'the whole computer in one file; --rescue: what can still be read of a damaged one',
        },
      ],
      options: ['rescue'],
      takesFiles: true,
      load: async () => (await import('./transfer.ts')).exportTo,
    },
    import: {
      usage: [{ form: 'FILE [--name NAME]', says: 'a new computer from such a file' }],
      options: ['name'],
      takesFiles: true,
      load: async () => (await import('./transfer.ts')).importFrom,
    },
    verify: {
      usage: [{ form: '', says: 'prove log, objects, tables and files' }],
      options: [],
      load: async () => (await import('./proof.ts')).verify,
    },
    recover: {
      usage: [
        {
          form: '[--yes]',
          says: 'where events are gone from the log: what is known of them and what can be brought back; --yes does it',
        },
      ],
      options: ['yes'],
      load: async () => (await import('./recovery.ts')).recover,
    },
    receipt: {
      usage: [
        {
          form: '[--check FILE]',
          says: 'a signed line about how far your computer has got, to keep elsewhere; --check: does the log still hold it?',
        },
      ],
      options: ['check'],
      load: async () => (await import('./recovery.ts')).receipt,
    },
    replay: {
      usage: [{ form: '[--to SEQ] [--into DIR]', says: 'make it all again from the log and compare' }],
      options: ['to', 'into'],
      load: async () => (await import('./transfer.ts')).replayInto,
    },
    room: {
      usage: [{ form: '', says: 'how much your files, their old versions and the history take' }],
      options: [],
      load: async () => (await import('./room.ts')).room,
    },
    thin: {
      usage: [
        {
          form: '--older-than 30d [--yes]',
          says: 'remove old versions for good, to make room; h, d or w; without --yes: what would go',
        },
      ],
      options: ['older-than', 'yes'],
      load: async () => (await import('./room.ts')).thin,
    },
    erase: {
      usage: [{ form: 'PATH --yes [--reason TEXT]', says: 'remove every version of a file for good' }],
      options: ['yes', 'reason'],
      load: async () => (await import('./proof.ts')).erase,
    },
  },
  {
    completion: {
      usage: [
        {
          form: 'bash | zsh | fish',
          says: 'what your shell needs to complete these commands; the first lines say where it goes',
        },
      ],
      options: [],
      actions: ['bash', 'zsh', 'fish'],
      loadLocal: async () => (await import('./completion.ts')).completion,
    },
    help: { usage: [{ form: '', says: 'this' }], options: [], loadLocal: async () => (await import('./help.ts')).help },
  },
]

export const COMMAND_LINE: Readonly<Record<string, Entry>> = Object.assign({}, ...COMMAND_GROUPS) as Record<
  string,
  Entry
>
