import type { Session, Sessions } from './sessions.ts'

/** For tests. */
export function openMemorySessions(): Sessions {
  const sessions = new Map<string, Session>()
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
