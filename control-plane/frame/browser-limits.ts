/**
 * Honest words about the browser in use: where it cannot hold a page back by itself, ChoirOS takes the means away by a
 * script, which is less than a wall.
 */
const HOLDS_FROM = 152

interface Brands {
  readonly brands?: readonly { readonly brand: string; readonly version: string }[]
}

const { brands = [] } = (navigator as { userAgentData?: Brands }).userAgentData ?? {}
const chromium = Number(brands.find(({ brand }) => brand === 'Chromium')?.version ?? 0)
const words = document.getElementById('browser-limits')
if (words !== null && chromium < HOLDS_FROM) {
  words.hidden = false
  words.textContent = `This browser cannot by itself keep a desktop's code from calling other computers (WebRTC); ChoirOS takes the means away, but only Chromium ${HOLDS_FROM} or newer closes that door for good.`
}
