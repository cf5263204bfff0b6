import type { DataOf } from '@choiros/contract/catalog.ts'
import type { Restore, Undo } from '@choiros/contract/events/files.ts'
import type { WindowClose, WindowOpen, WindowSettle, WindowState } from '@choiros/contract/events/windows.ts'
import { oneByOne, type Reducer, type Write } from './reducer.ts'

/** Which windows are open now, and every earlier arrangement, so that a restore can bring one back. */
export const windows: Reducer = {
  name: 'windows',
  version: 1,
  tables: ['window', 'window_version'],
  schema: `
    CREATE TABLE window (window TEXT PRIMARY KEY, app TEXT NOT NULL, title TEXT NOT NULL, wide TEXT, narrow TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE window_version (window TEXT NOT NULL, seq INTEGER NOT NULL, app TEXT, title TEXT, wide TEXT, narrow TEXT, PRIMARY KEY (window, seq)) STRICT, WITHOUT ROWID;
  `,
  statements: {
    put: 'INSERT INTO window VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET app = excluded.app, title = excluded.title',
    settleWide: 'UPDATE window SET wide = ? WHERE window = ?',
    settleNarrow: 'UPDATE window SET narrow = ? WHERE window = ?',
    remove: 'DELETE FROM window WHERE window = ?',
    keep: 'INSERT OR REPLACE INTO window_version SELECT window, ?, app, title, wide, narrow FROM window WHERE window = ?',
    closed: 'INSERT OR REPLACE INTO window_version VALUES (?, ?, NULL, NULL, NULL, NULL)',
    closeAll: 'INSERT OR REPLACE INTO window_version SELECT window, ?, NULL, NULL, NULL, NULL FROM window',
    removeAll: 'DELETE FROM window',
  },
  start: oneByOne(({ event }, write) => {
    switch (event.type) {
      case 'window.open': {
        const { window, app, title } = event.data as DataOf<typeof WindowOpen>
        write('put', window, app, title, null, null)
        return write('keep', event.seq, window)
      }
      case 'window.close': {
        const { window } = event.data as DataOf<typeof WindowClose>
        write('remove', window)
        return write('closed', window, event.seq)
      }
      case 'window.settle': {
        const { window, device, geometry } = event.data as DataOf<typeof WindowSettle>
        write(device === 'wide' ? 'settleWide' : 'settleNarrow', JSON.stringify(geometry), window)
        return write('keep', event.seq, window)
      }
      case 'restore':
        return replaceAll((event.data as DataOf<typeof Restore>).windows, event.seq, write)
      case 'undo': {
        const { windows: arrangement } = event.data as DataOf<typeof Undo>
        return arrangement === null ? undefined : replaceAll(arrangement, event.seq, write)
      }
    }
  }),
}

function replaceAll(arrangement: readonly WindowState[], seq: number, write: Write): void {
  write('closeAll', seq)
  write('removeAll')
  for (const { window, app, title, wide, narrow } of arrangement) {
    write('put', window, app, title, wide && JSON.stringify(wide), narrow && JSON.stringify(narrow))
    write('keep', seq, window)
  }
}
