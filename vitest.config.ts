import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONG = '**/*.long.test.ts'
/** Matrices: the fast lane takes what shows the most of them, the long one the whole. */
const MATRICES = [
  'ports/sandbox/bubblewrap.test.ts',
  ...['l2-replay-is-proof', 'l9-no-secret-enters-a-sandbox', 'l12-what-was-verified-lands'].map(
    (law) => `tests/laws/${law}.test.ts`,
  ),
  ...['headless-gate', 'model', 'gate.browser', 'model-gate.browser', 'bad-rewrites.browser'].map(inE2e),
  ...['hostile-desktop.browser', 'secrets.browser', 'undo.browser', 'frame.browser'].map(inE2e),
  inE2e('desktop.browser'),
  ...['render-verifier', 'test-verifier', 'clocks'].map(inE2e),
]
/** Needs a language model on this machine. */
const MODEL = '**/*.model.test.ts'
const OUTSIDE = ['**/node_modules/**', '**/dist/**']

function inE2e(name: string): string {
  return `tests/e2e/${name}.test.ts`
}

/** A file that takes a minute must not be the last one to begin: then one core would wait for the other. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = [/\/(mutations|run-crash-table)\.long/, /\.browser\./, /\/(tests|evals|sandbox|socket)\//]
    const rank = ({ moduleId }: TestSpecification) => {
      const found = slow.findIndex((form) => form.test(moduleId))
      return found === -1 ? slow.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  // As the desk has it, where it is mounted and no package.
  resolve: { alias: { '@choiros/sdk': fileURLToPath(new URL('desktop/sdk', import.meta.url)) } },
  test: {
    // Tests start processes, kill them and measure: more at once than a small machine has cores makes them flaky, not
    // fast.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    globalSetup: ['tests/support/browser-programs.ts', 'tests/support/shared-toolchain.ts'],
    // Firefox's driver drops a promise of its own when a frame goes while it looks into it; whoever looked is told by
    // another one.
    onUnhandledError: ({ name, message }) =>
      name === 'ProtocolError' && message.includes('no such frame') ? false : undefined,
    projects: [
      {
        extends: true,
        test: {
          name: 'normal',
          pool: 'forks',
          include: ['**/*.test.ts'],
          exclude: [...OUTSIDE, LONG, MODEL],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          pool: 'forks',
          include: [LONG, ...MATRICES],
          env: { CHOIR_LANE: 'long' },
          exclude: OUTSIDE,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'model',
          pool: 'forks',
          include: [MODEL],
          exclude: OUTSIDE,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
