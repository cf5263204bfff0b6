import { run } from './ask.ts'

/** What a page is about is each computer's own: with several it is said which one this is. */
export async function nameComputer(): Promise<void> {
  const [computers, response] = await Promise.all([run('computer.list', {}), fetch('/computer')])
  const { computer } = (await response.json()) as { computer: string }
  const own = computers.find(({ id }) => id === computer)
  const place = document.getElementById('of-computer') as HTMLElement
  place.hidden = computers.length < 2 || own === undefined
  place.textContent = `On the computer “${own?.name ?? ''}”.`
}
