/** One thing that was looked at. */
export interface Finding {
  readonly about: string
  /** `weaker`: ChoirOS works, with less than it could. `bad`: it does not work, or not for long. */
  readonly state: 'ok' | 'weaker' | 'bad'
  readonly is: string
  /** What the person can do; null if there is nothing to do. */
  readonly todo: string | null
}

export const ok = (about: string, is: string): Finding => ({ about, state: 'ok', is, todo: null })
export const weaker = (about: string, is: string, todo: string | null = null): Finding => ({
  about,
  state: 'weaker',
  is,
  todo,
})
export const bad = (about: string, is: string, todo: string): Finding => ({ about, state: 'bad', is, todo })
