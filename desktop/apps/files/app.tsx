import { defineApp } from '@choiros/sdk/app.ts'
import { FilesWindow } from './files-window.tsx'
import './files.css'

export default defineApp({
  id: 'files',
  title: 'Files',
  glyph: '▤',
  size: { width: 600, height: 460 },
  Content: FilesWindow,
})
