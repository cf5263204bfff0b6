import { registerHooks } from 'node:module'

/**
 * The desk's Node executes the toolchain and nothing else. A tool that finds a configuration, a plugin or a
 * preprocessor in the tree, in a way that nobody here has thought of, cannot run it. Loaded before everything else, in
 * every thread.
 */
const ALLOWED = ['file:///opt/choir/', 'file:///node_modules/']

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:') && !ALLOWED.some((place) => url.startsWith(place)))
      throw new Error(`${url} is not a part of the toolchain: it is not executed here`)
    return next(url, context)
  },
})
