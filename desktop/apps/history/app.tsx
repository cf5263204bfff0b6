import { defineApp } from '@choiros/sdk/app.ts'
import { HistoryWindow } from './history-window.tsx'
import './history.css'

export default defineApp({
  id: 'history',
  title: 'History',
  glyph: '◷',
  size: { width: 600, height: 560 },
  Content: HistoryWindow,
})
