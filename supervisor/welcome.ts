import type { ComputerView } from '@choiros/contract/commands.ts'

/** Says what there is, and nothing that is not there yet. */
export function sayReady(folder: string, computers: readonly ComputerView[]): void {
  const lines = [`ChoirOS is running on ${folder}`, '']
  if (computers.length === 0) {
    lines.push('There is no computer yet. In another terminal:', '', '  npm run -s choir -- computer add home')
  } else {
    lines.push(computers.length === 1 ? 'One computer:' : `${computers.length} computers:`, '', ...computers.map(({ name }) => `  ${name}`))
  }
  lines.push(
    '',
    'So far it has a log, files, undo and a command line; the desktop in the browser is not built yet.',
    'Try:  echo hello | npm run -s choir -- write artifacts/hello.txt',
    '      npm run -s choir -- undo',
    '',
    'Ctrl-C stops it. Everything is kept.',
    '',
  )
  process.stdout.write(lines.join('\n'))
}
