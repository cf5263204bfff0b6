import { defineApp } from '@choiros/sdk/app.ts'
import { WriterWindow } from './writer-window.tsx'
import './writer.css'

export default defineApp({
  id: 'writer',
  title: 'Writer',
  glyph: '✎',
  size: { width: 720, height: 620 },
  Content: WriterWindow,
})
