import { defineApp } from '@choiros/sdk/app.ts'
import { MemoryWindow } from './memory-window.tsx'
import './memory.css'

export default defineApp({
  id: 'memory',
  title: 'Memory',
  glyph: '❋',
  size: { width: 560, height: 600 },
  Content: MemoryWindow,
})
