import { expect, test } from 'vitest'
import type { RunPictureView } from '@choiros/sdk/contract.ts'
import { altText, pairsOfPictures } from './picture-pairs.ts'

const picture = (moment: 'before' | 'after', app: string | null, object: string): RunPictureView => ({
  moment,
  app,
  object,
  bytes: 1,
  width: 1280,
  height: 800,
})

test('apps come first, each before beside after; a desktop that looks the same is left out', () => {
  const same = [picture('before', null, 'a'), picture('after', null, 'a'), picture('after', 'dice', 'b')]
  expect(pairsOfPictures(same)).toEqual([{ name: 'Dice', before: null, after: picture('after', 'dice', 'b') }])
  const changed = [picture('before', null, 'a'), picture('after', null, 'c'), picture('after', 'dice', 'b')]
  expect(pairsOfPictures(changed).map(({ name }) => name)).toEqual(['Dice', 'The desktop'])
})

test('where there is nothing else, the desktop is shown even if it looks the same', () => {
  expect(pairsOfPictures([picture('before', null, 'a'), picture('after', null, 'a')])).toHaveLength(1)
  expect(pairsOfPictures([])).toEqual([])
})

test('each picture says in words what it shows', () => {
  expect([altText('Dice', 'before'), altText('Dice', 'after')]).toEqual([
    'Dice before this change',
    'Dice with this change',
  ])
})
