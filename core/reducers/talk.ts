import type { ConversationStart, DataOf, Message } from '@choiros/contract/catalog.ts'
import { oneByOne, type Reducer } from './reducer.ts'

export const talk: Reducer = {
  name: 'talk',
  version: 2,
  tables: ['conversation', 'message'],
  schema: `
    CREATE TABLE conversation (conversation TEXT PRIMARY KEY, title TEXT NOT NULL, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE message (seq INTEGER PRIMARY KEY, conversation TEXT NOT NULL, run TEXT, user TEXT NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, object TEXT) STRICT;
  `,
  indexes: 'CREATE INDEX message_conversation ON message (conversation, seq); CREATE INDEX message_run ON message (run);',
  statements: {
    start: 'INSERT OR IGNORE INTO conversation VALUES (?, ?, ?)',
    say: 'INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?)',
  },
  together: ['say'],
  start: oneByOne(({ event }, write) => {
    if (event.type === 'conversation.start') {
      const data = event.data as DataOf<typeof ConversationStart>
      write('start', data.conversation, data.title, event.seq)
    } else if (event.type === 'message') {
      const data = event.data as DataOf<typeof Message>
      write('say', event.seq, data.conversation, event.run, event.user, data.role, data.text, data.object)
    }
  }),
}
