import { runCommandLine } from './run.ts'

// `choir events | head` closes the pipe early; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = (await runCommandLine(process.argv.slice(2), process)) ? 0 : 1
