import { defineApp } from '@choiros/sdk/app.ts'
import { TodoWindow } from './todo-window.tsx'
import './todo.css'

export default defineApp({
  id: 'part-id',
  title: 'Part title',
  glyph: '✓',
  size: { width: 380, height: 480 },
  Content: TodoWindow,
})
