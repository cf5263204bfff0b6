/**
 * The link's code stands behind the #, so that no server log and no preview ever sees it; only this page's POST uses it
 * up.
 */
const message = document.getElementById('message') as HTMLElement
const hint = document.getElementById('hint') as HTMLElement

/** What someone had begun to write in this tab is not for the next person. */
const forget = () => sessionStorage.clear()

async function signIn(): Promise<void> {
  const code = location.hash.slice(1)
  history.replaceState(null, '', '/sign-in')
  if (code === '') {
    // After a link from another site the browser did not send the cookie; a request from this page does send it.
    if ((await fetch('/computer')).ok) return location.replace('/')
    forget()
    message.textContent = 'To sign in, open the link that ChoirOS printed when it started.'
    hint.hidden = false
    return
  }
  const response = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  if (!response.ok && (await fetch('/computer')).ok) return location.replace('/') // A used link, by somebody who is in.
  forget()
  if (response.ok) return location.replace('/')
  const answer = (await response.json()) as { error?: { message?: string } }
  const why = answer.error?.message ?? 'that link did not work'
  message.textContent = why.charAt(0).toUpperCase() + why.slice(1)
  hint.hidden = false
}

const start = () => void signIn().catch(() => (message.textContent = 'ChoirOS does not answer. Is it still running?'))
// A link pasted into this very page changes only what stands behind the #.
addEventListener('hashchange', () => location.hash !== '' && start())
start()
