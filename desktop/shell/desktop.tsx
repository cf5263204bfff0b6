import { useEffect, useLayoutEffect, useState } from 'react'
import { useLive } from '@choiros/sdk/live.ts'
import { useSettings } from '@choiros/sdk/settings.ts'
import { useExtensions, type Extensions } from './extensions.ts'
import { applyLook, SETTINGS, toLook, type Look } from './look.ts'
import { PromptBar } from './prompt/prompt-bar.tsx'
import { goToPrompt } from './prompt/prompt-field.tsx'
import { Taskbar } from './taskbar.tsx'
import { Wallpaper } from './wallpaper.tsx'
import { WindowLayer } from './window-layer.tsx'
import { useFocusOrder } from './focus-order.ts'
import { useDevice } from './geometry.ts'
import './desktop.css'

export function Desktop() {
  const { connected } = useLive()
  const settings = useSettings(SETTINGS)
  const extensions = useExtensions()
  return (
    <>
      {/* Not before its look is known: another look must not flash up first. */}
      {settings !== null && extensions !== null && <Surface look={toLook(settings)} extensions={extensions} />}
      <Connection connected={connected} />
    </>
  )
}

function Surface({ look, extensions }: { look: Look; extensions: Extensions }) {
  const { connected, windows } = useLive()
  const device = useDevice()
  const focus = useFocusOrder(windows, extensions.apps, device)
  useLayoutEffect(() => applyLook(document.documentElement, look))
  return (
    <div className="desktop" data-taskbar={look.taskbar}>
      <button type="button" className="skip" aria-keyshortcuts="Control+K Meta+K" onClick={() => goToPrompt()}>
        Go to the prompt
      </button>
      <Wallpaper wallpaper={look.wallpaper} />
      <WindowLayer windows={windows} extensions={extensions} focus={focus} device={device} />
      {windows.length === 0 && connected && (
        <p className="empty-desktop">Ask for anything, or open Files to begin. Everything can be undone.</p>
      )}
      <Taskbar windows={windows} extensions={extensions} focus={focus} device={device}>
        <PromptBar />
      </Taskbar>
    </div>
  )
}

/** A connection that is back so soon is not worth a message. */
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
