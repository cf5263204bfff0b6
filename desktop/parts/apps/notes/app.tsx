import { defineApp } from '@choiros/sdk/app.ts'
import { NotesWindow } from './notes-window.tsx'
import './notes.css'

export default defineApp({
  id: 'part-id',
  title: 'Part title',
  glyph: '❏',
  size: { width: 680, height: 480 },
  Content: NotesWindow,
})
