/**
 * For processes that mostly wait: V8 keeps room for what is new, up to 48 MiB of it, and never gives back what one busy
 * second made it take. With so little a commit of a hundred callers takes no longer (docs/bench.md).
 */
export const SMALL_HEAP = '--max-semi-space-size=1'
