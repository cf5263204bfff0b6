/**
 * For every law, the change to the code that breaks it. The long lane makes each of these in a copy of the checkout and expects the law's test to go red:
 * a test that stays green with its law broken proves nothing.
 */
export interface Mutation {
  readonly law: string
  readonly breaks: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly test: string
}

export const MUTATIONS: readonly Mutation[] = [
  {
    law: 'L1',
    breaks: 'something that is no reducer writes a table',
    file: 'supervisor/state/state.ts',
    find: 'moveCursor.run(cursor.seq, cursor.hash)',
    replace: "db.prepare('INSERT OR REPLACE INTO manifest VALUES (?, ?)').run(cursor.seq, 'beside the log'); moveCursor.run(cursor.seq, cursor.hash)",
    test: 'tests/laws/l1-one-truth.test.ts',
  },
  {
    law: 'L1',
    breaks: 'something that is not the projector writes a file of the tree',
    file: 'supervisor/commands/windows.ts',
    find: 'const event = await context.computer.writer.submit(({ state }) => {\n    if (state.windows().length',
    replace:
      ";(await import('node:fs')).writeFileSync(`${context.computer.folder}/tree/beside.txt`, 'beside the log')\n  const event = await context.computer.writer.submit(({ state }) => {\n    if (state.windows().length",
    test: 'tests/laws/l1-one-truth.test.ts',
  },
  {
    law: 'L2',
    breaks: 'a reducer looks at the clock',
    file: 'core/reducers/windows.ts',
    find: "return write('closed', window, event.seq)",
    replace: "return write('closed', window, Date.now())",
    test: 'tests/laws/l2-replay-is-proof.test.ts',
  },
  {
    law: 'L2',
    breaks: 'a reducer changes what old logs give without a new version',
    file: 'core/reducers/talk.ts',
    find: "write('start', data.conversation, data.title, event.seq)",
    replace: "write('start', data.conversation, data.title.toUpperCase(), event.seq)",
    test: 'tests/laws/l2-replay-is-proof.test.ts',
  },
  {
    law: 'L3',
    breaks: 'the log is not fsynced at commit',
    file: 'ports/event-log/sqlite.ts',
    find: "db.pragma('synchronous = FULL')",
    replace: "db.pragma('synchronous = OFF')",
    test: 'tests/laws/l3-acknowledged-means-on-disk.test.ts',
  },
  {
    law: 'L3',
    breaks: 'a large object is named before it is on disk',
    file: 'ports/objects/local.ts',
    find: 'await file.datasync()',
    replace: 'await Promise.resolve()',
    test: 'tests/laws/l3-acknowledged-means-on-disk.test.ts',
  },
  {
    law: 'L3',
    breaks: 'callers are answered before the log is written',
    file: 'supervisor/computer/log-writer.ts',
    find: 'const events = accepted.map((item) => item.stored)',
    replace:
      'for (const item of accepted) item.job.resolve(item.fact.event)\n        const events = accepted.map((item) => item.stored)\n        await new Promise((resolve) => setTimeout(resolve, 30))',
    test: 'tests/laws/l3-acknowledged-means-on-disk.test.ts',
  },
  {
    law: 'L5',
    breaks: 'the promised hash is not compared before the undo is written',
    file: 'supervisor/computer/log-writer.ts',
    find: 'hashSortedTree(state.queries.allEntries()) === tree',
    replace: 'tree.length > 0',
    test: 'tests/laws/l5-undo-cannot-lie.test.ts',
  },
  {
    law: 'L5',
    breaks: 'an undo with conflicts does what it can',
    file: 'supervisor/commands/undo.ts',
    find: 'if (plan.conflicts.length > 0) throw conflictError(plan)',
    replace: 'void conflictError',
    test: 'tests/laws/l5-undo-cannot-lie.test.ts',
  },
  {
    law: 'L7',
    breaks: 'the files are not made again from the log',
    file: 'supervisor/computer/computer.ts',
    find: 'recoverTree(computer).catch(',
    replace: 'Promise.resolve(recoverTree.length).catch(',
    test: 'tests/laws/l7-restore-needs-no-sandbox.test.ts',
  },
  {
    law: 'L4',
    breaks: 'a crash leaves a run open',
    file: 'supervisor/runs/recover.ts',
    find: 'of queries.openRuns()) {',
    replace: 'of queries.openRuns().slice(0, 0)) {',
    test: 'tests/laws/l4-failed-runs-leave-no-code.test.ts',
  },
  {
    law: 'L4',
    breaks: 'a crash keeps a bad landing from being taken back',
    file: 'supervisor/runs/recover.ts',
    find: "newest?.health === 'bad'",
    replace: "newest?.health === 'never'",
    test: 'tests/laws/l4-failed-runs-leave-no-code.test.ts',
  },
  {
    law: 'L4',
    breaks: 'a run that died leaves its trees behind',
    file: 'supervisor/runs/recover.ts',
    find: 'clearWorkPlaces(computer.folder)',
    replace: 'void clearWorkPlaces',
    test: 'tests/laws/l4-failed-runs-leave-no-code.test.ts',
  },
  {
    law: 'L8',
    breaks: 'what a page finds bad stays',
    file: 'supervisor/runs/health.ts',
    find: "if (verdict.verdict === 'bad') {",
    replace: "if (verdict.verdict === 'bad' && land < 0) {",
    test: 'tests/laws/l8-the-person-is-never-locked-out.test.ts',
  },
  {
    law: 'L8',
    breaks: 'what cannot be taken back is shown',
    file: 'supervisor/runs/health.ts',
    find: 'await enterSafeMode(`',
    replace: 'void (`',
    test: 'tests/laws/l8-the-person-is-never-locked-out.test.ts',
  },
  {
    law: 'L8',
    breaks: 'a restart forgets safe mode',
    file: 'supervisor/runs/health.ts',
    find: "return run?.status === 'landed' && !run.undone",
    replace: 'return run === undefined',
    test: 'tests/laws/l8-the-person-is-never-locked-out.test.ts',
  },
  {
    law: 'L9',
    breaks: 'the first process of a sandbox keeps the supervisor’s environment',
    file: 'ports/sandbox/bubblewrap.ts',
    find: "env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },",
    replace: 'env: process.env,',
    test: 'tests/laws/l9-no-secret-enters-a-sandbox.test.ts',
  },
  {
    law: 'L9',
    breaks: 'commands inside are given the supervisor’s environment',
    file: 'ports/sandbox/bubblewrap.ts',
    find: "LANG: 'C.UTF-8', TMPDIR: '/tmp' }",
    replace: "LANG: 'C.UTF-8', TMPDIR: '/tmp', LEAK: process.env.CHOIR_PLANTED_KEY ?? '' }",
    test: 'tests/laws/l9-no-secret-enters-a-sandbox.test.ts',
  },
  {
    law: 'L9',
    breaks: 'an order carries a key where its signature belongs',
    file: 'supervisor/runs/runs.ts',
    find: 'return { ...unsigned, signature: machine.signer.sign(unsigned) }',
    replace: "return { ...unsigned, signature: { ...machine.signer.sign(unsigned), value: process.env.CHOIR_PLANTED_KEY ?? '' } }",
    test: 'tests/laws/l9-no-secret-enters-a-sandbox.test.ts',
  },
  {
    law: 'L10',
    breaks: "a computer's id opens it for anyone",
    file: 'supervisor/home/home.ts',
    find: '[...cards.values()].filter((card) => card.user === user)',
    replace: '[...cards.values()]',
    test: 'tests/laws/l10-every-query-carries-its-user.test.ts',
  },
  {
    law: 'L12',
    breaks: 'a landing is not compared with what the verifiers saw',
    file: 'core/landing.ts',
    find: 'if (hashSeen(tree, changes) !== verified.seen)',
    replace: 'if (verified.seen.length === 0)',
    test: 'tests/laws/l12-what-was-verified-lands.test.ts',
  },
  {
    law: 'L12',
    breaks: 'the bytes that land are not looked at',
    file: 'supervisor/computer/landing.ts',
    find: 'if (sha256(bytes) !== hash)',
    replace: 'if (bytes.length < 0)',
    test: 'tests/laws/l12-what-was-verified-lands.test.ts',
  },
  {
    law: 'L12',
    breaks: 'a merged tree lands on the word of the verifiers that saw another',
    file: 'supervisor/runs/land.ts',
    find: 'work.verified = verdict.verified',
    replace: 'work.verified = { ...verdict.verified, tree: work.verified?.tree ?? verdict.verified.tree }',
    test: 'tests/laws/l12-what-was-verified-lands.test.ts',
  },
]
