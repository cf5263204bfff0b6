/**
 * For processes that mostly wait: V8 keeps up to 48 MiB for new objects, and never gives back what one busy second made
 * it take. With this small limit, a commit of a hundred callers takes no longer (docs/bench.md).
 */
export const SMALL_HEAP = '--max-semi-space-size=1'
