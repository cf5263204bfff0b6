import type { RunPictureView } from '@choiros/sdk/contract.ts'

/** One thing as it was and as it is with the change; null: there is no picture of that. */
export interface PicturePair {
  readonly name: string
  readonly before: RunPictureView | null
  readonly after: RunPictureView | null
}

/** What there is to compare: apps first, because they are what was changed; the desktop only if it looks different. */
export function pairsOfPictures(pictures: readonly RunPictureView[]): PicturePair[] {
  const apps = [...new Set(pictures.map(({ app }) => app))]
  const pairs = apps.map((app) => {
    const find = (moment: RunPictureView['moment']) =>
      pictures.find((one) => one.app === app && one.moment === moment) ?? null
    return { app, name: nameOf(app), before: find('before'), after: find('after') }
  })
  const isWorthIt = ({ app, before, after }: (typeof pairs)[number]) =>
    app !== null || pairs.length === 1 || before?.object !== after?.object
  return pairs
    .filter(isWorthIt)
    .toSorted((one, other) => Number(one.app === null) - Number(other.app === null))
    .map(({ name, before, after }) => ({ name, before, after }))
}

function nameOf(app: string | null): string {
  return app === null ? 'The desktop' : `${app.charAt(0).toUpperCase()}${app.slice(1)}`
}

/** For people who do not see it. */
export function altText(name: string, moment: RunPictureView['moment']): string {
  return moment === 'before' ? `${name} before this change` : `${name} with this change`
}
