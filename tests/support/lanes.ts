/**
 * Test files with more cases than fit into the ten minutes of the fast lane run whole in the long one: vitest.config.ts
 * names them.
 */
export const IS_LONG_LANE = process.env.CHOIR_LANE === 'long'
