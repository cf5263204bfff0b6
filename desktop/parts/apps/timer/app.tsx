import { defineApp } from '@choiros/sdk/app.ts'
import { TimerWindow } from './timer-window.tsx'
import './timer.css'

export default defineApp({
  id: 'part-id',
  title: 'Part title',
  glyph: '◔',
  size: { width: 340, height: 420 },
  Content: TimerWindow,
})
