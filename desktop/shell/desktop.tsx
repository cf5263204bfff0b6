import { useEffect, useState } from 'react'
import { useLive } from '@choiros/sdk/live.ts'
import { useSetting } from '@choiros/sdk/settings.ts'
import { APPS } from './apps.ts'
import { Taskbar } from './taskbar.tsx'
import { WindowLayer } from './window-layer.tsx'
import { useFocusOrder } from './focus-order.ts'
import { useDevice } from './geometry.ts'
import './desktop.css'

interface Look {
  readonly theme?: 'dark' | 'light'
  readonly accent?: string
}

const NO_LOOK: Look = {}

export function Desktop() {
  const { connected, windows } = useLive()
  const look = useSetting<Look>('look', NO_LOOK)
  const device = useDevice()
  const focus = useFocusOrder(windows, APPS, device)
  useEffect(() => {
    document.documentElement.dataset.theme = look.theme === 'light' ? 'light' : 'dark'
    document.documentElement.style.setProperty('--accent', look.accent ?? '')
  }, [look])
  return (
    <div className="desktop">
      <WindowLayer windows={windows} apps={APPS} focus={focus} device={device} />
      {windows.length === 0 && connected && <p className="empty-desktop">Open Files to begin. Everything you do here can be undone.</p>}
      <Connection connected={connected} />
      <Taskbar windows={windows} apps={APPS} focus={focus} device={device} />
    </div>
  )
}

/** A connection that is back within the blink of an eye is not worth a word. */
const SILENT_MS = 600

function Connection({ connected }: { connected: boolean }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (connected) return setLate(false)
    const timer = setTimeout(() => setLate(true), SILENT_MS)
    return () => clearTimeout(timer)
  }, [connected])
  return late ? (
    <p className="banner" role="status">
      Connecting to your computer…
    </p>
  ) : null
}
