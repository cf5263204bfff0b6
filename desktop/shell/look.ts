/** What a person can set about the desktop's look: one file each, in `artifacts/system/`. */
export const SETTINGS = ['theme', 'accent', 'wallpaper', 'font-size', 'taskbar'] as const

export const WALLPAPERS = ['plain', 'dusk', 'aurora', 'dunes', 'grid', 'paper', 'ocean', 'forest'] as const
export type WallpaperName = (typeof WALLPAPERS)[number]

export interface Look {
  readonly theme: 'dark' | 'light'
  /** Null: the theme's own. */
  readonly accent: string | null
  readonly wallpaper: WallpaperName | { readonly colour: string }
  readonly fontSizePx: number
  readonly taskbar: 'top' | 'bottom'
}

const FONT_SIZE = { least: 12, most: 24, usual: 14 }

/** Anyone may write these files, by hand or by a recipe: a value that makes no sense counts as not set. */
export function toLook(settings: Readonly<Record<(typeof SETTINGS)[number], unknown>>): Look {
  const fontSize = field(settings['font-size'], 'fontSize')
  const wallpaper = field(settings.wallpaper, 'wallpaper')
  return {
    theme: field(settings.theme, 'theme') === 'light' ? 'light' : 'dark',
    accent: toColour(field(settings.accent, 'accent')),
    wallpaper: toWallpaper(wallpaper),
    fontSizePx:
      typeof fontSize === 'number' && fontSize >= FONT_SIZE.least && fontSize <= FONT_SIZE.most
        ? fontSize
        : FONT_SIZE.usual,
    taskbar: field(settings.taskbar, 'position') === 'top' ? 'top' : 'bottom',
  }
}

export function applyLook(root: HTMLElement, { theme, accent, fontSizePx }: Look): void {
  root.dataset['theme'] = theme
  root.style.setProperty('--accent', accent ?? '')
  root.style.fontSize = `${fontSizePx}px`
}

function field(setting: unknown, name: string): unknown {
  return typeof setting === 'object' && setting !== null ? (setting as Record<string, unknown>)[name] : undefined
}

function toColour(value: unknown): string | null {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : null
}

function toWallpaper(value: unknown): Look['wallpaper'] {
  const colour = toColour(value)
  return colour === null ? (WALLPAPERS.find((name) => name === value) ?? 'plain') : { colour }
}
