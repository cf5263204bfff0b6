import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Message } from '@choiros/contract/events/talk.ts'
import { oneByOne, type Reducer } from './reducer.ts'

export const talk: Reducer = {
  name: 'talk',
  version: 3,
  tables: ['message'],
  schema: `
    CREATE TABLE message (seq INTEGER PRIMARY KEY, run TEXT, user TEXT NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, object TEXT) STRICT;
  `,
  indexes: 'CREATE INDEX message_run ON message (run);',
  statements: {
    say: 'INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)',
  },
  together: ['say'],
  start: oneByOne(({ event }, write) => {
    if (event.type !== 'message') return
    const data = event.data as DataOf<typeof Message>
    write('say', event.seq, event.run, event.user, data.role, data.text, data.object)
  }),
}
