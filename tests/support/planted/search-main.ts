import { searchInside } from './search.ts'

/** For sandboxes where no agent of ours is started: the disguised secrets are the argument. */
process.stdout.write(`\n${JSON.stringify(await searchInside(JSON.parse(process.argv[2] ?? '[]') as string[]))}\n`)
