import { run } from './ask.ts'

/** These pages are about one computer: with several, they say which one. */
export async function nameComputer(): Promise<void> {
  const [computers, response] = await Promise.all([run('computer.list', {}), fetch('/computer')])
  const { computer } = (await response.json()) as { computer: string }
  const own = computers.find(({ id }) => id === computer)
  const place = document.getElementById('of-computer') as HTMLElement
  place.hidden = computers.length < 2 || own === undefined
  place.textContent = `On the computer “${own?.name ?? ''}”.`
}
