import { Component, type ReactNode } from 'react'

/** An app that throws takes its own window down, not the desktop. */
export class AppBoundary extends Component<{ name: string; children: ReactNode }, { failure: string | null }> {
  override state = { failure: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    if (this.state.failure === null) return this.props.children
    return (
      <div className="failure" role="alert">
        <p>{this.props.name} stopped working.</p>
        <details>
          <summary>What went wrong</summary>
          <pre>{this.state.failure}</pre>
        </details>
        <button type="button" onClick={() => this.setState({ failure: null })}>
          Try again
        </button>
      </div>
    )
  }
}
