import { defineApp } from '@choiros/sdk/app.ts'
import { RunsWindow } from './runs-window.tsx'
import './runs.css'
import './diff.css'
import './pictures.css'

export default defineApp({
  id: 'runs',
  title: 'Runs',
  glyph: '▷',
  size: { width: 560, height: 600 },
  Content: RunsWindow,
})
