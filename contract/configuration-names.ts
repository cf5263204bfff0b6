/**
 * Names by which a tool would take a file for its configuration. Nothing reads such files here: one that landed would
 * mislead its reader, and whoever writes one may hope otherwise. Two lists of them would differ, and what is refused by
 * one would pass the other.
 */
const TOOLS =
  'vite vitest postcss lightningcss rolldown rollup oxc oxlint esbuild babel swc tailwind uno webpack eslint stylelint prettier jest playwright svelte'
const NAMES: readonly RegExp[] = [
  /^(ts|js)config(\..+)?\.json$/i,
  /^package(-lock)?\.json$/i,
  /^\.env(\..*)?$/i,
  /^\.[a-z-]+rc(\.[a-z]+)?$/i,
  /^browserslist$/i,
  new RegExp(`^(${TOOLS.replaceAll(' ', '|')})\\.config\\..+$`, 'i'),
]

/** By the last part of a path. */
export function isConfigurationName(name: string): boolean {
  return NAMES.some((form) => form.test(name))
}
