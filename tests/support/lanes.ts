/**
 * Files with more cases than the ten minutes of the fast lane have room for run whole in the long one: vitest.config.ts
 * names them.
 */
export const IS_LONG_LANE = process.env.CHOIR_LANE === 'long'
