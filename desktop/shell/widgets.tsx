import type { Extensions } from './extensions.ts'
import { Boundary } from './boundary.tsx'

export function Widgets({ widgets }: { widgets: Extensions['widgets'] }) {
  if (widgets.length === 0) return null
  return (
    <div className="widgets">
      {widgets.map((widget) => (
        <div key={widget.id} className="widget" title={widget.title}>
          <Boundary
            subject={widget}
            fallback={(thrown, retry) => (
              <button
                type="button"
                className="stopped"
                title={thrown instanceof Error ? thrown.message : String(thrown)}
                onClick={retry}
              >
                {widget.title} stopped working. Try again
              </button>
            )}
          >
            <widget.Content />
          </Boundary>
        </div>
      ))}
    </div>
  )
}
