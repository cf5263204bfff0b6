import type { SignIn, SignIns } from './sign-ins.ts'

/** For tests. */
export function openMemorySignIns(): SignIns {
  const sessions = new Map<string, SignIn>()
  return {
    add: (secretHash, session) => void sessions.set(secretHash, session),
    bySecret: (secretHash) => sessions.get(secretHash) ?? null,
    byLabel: (label) => [...sessions.values()].find((session) => session.label === label) ?? null,
    seen(secretHash, nowMs) {
      const session = sessions.get(secretHash)
      if (session !== undefined) sessions.set(secretHash, { ...session, seenMs: nowMs })
    },
    relabel(secretHash, label) {
      const session = sessions.get(secretHash)
      if (session !== undefined) sessions.set(secretHash, { ...session, label })
    },
    choose(secretHash, computer, label) {
      const session = sessions.get(secretHash)
      if (session !== undefined) sessions.set(secretHash, { ...session, computer, label })
    },
    remove: (secretHash) => void sessions.delete(secretHash),
    removeOlder(ms) {
      for (const [secretHash, session] of sessions) if (session.seenMs < ms) sessions.delete(secretHash)
    },
    close() {},
  }
}
