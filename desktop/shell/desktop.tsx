import { useEffect } from 'react'
import { useLive } from '@choiros/sdk/live.ts'
import { useSetting } from '@choiros/sdk/settings.ts'
import { APPS } from './apps.ts'
import { Taskbar } from './taskbar.tsx'
import { WindowLayer } from './window-layer.tsx'
import { useFocusOrder } from './focus-order.ts'
import './desktop.css'

interface Look {
  readonly theme?: 'dark' | 'light'
  readonly accent?: string
}

export function Desktop() {
  const { connected, windows } = useLive()
  const look = useSetting<Look>('look', {})
  const focus = useFocusOrder(windows)
  useEffect(() => {
    document.documentElement.dataset.theme = look.theme ?? 'dark'
    document.documentElement.style.setProperty('--accent', look.accent ?? '')
  }, [look])
  return (
    <div className="desktop">
      <WindowLayer windows={windows} apps={APPS} focus={focus} />
      {windows.length === 0 && <p className="empty-desktop">Open Files to begin. Everything you do here can be undone.</p>}
      {!connected && (
        <p className="banner" role="status">
          Connecting to your computer…
        </p>
      )}
      <Taskbar windows={windows} apps={APPS} focus={focus} />
    </div>
  )
}
