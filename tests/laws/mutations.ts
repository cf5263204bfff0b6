import { MUTATIONS_L1_TO_L7 } from './mutations-l1-to-l7.ts'
import { MUTATIONS_L8_TO_L15 } from './mutations-l8-to-l15.ts'

/**
 * For every law, the change to the code that breaks it. The long lane makes each of these in a copy of the checkout and
 * expects the law's test to go red: a test that stays green with its law broken proves nothing.
 */
export interface Mutation {
  readonly law: string
  readonly breaks: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly test: string
}

export const MUTATIONS: readonly Mutation[] = [...MUTATIONS_L1_TO_L7, ...MUTATIONS_L8_TO_L15]
