import { Component, type ReactNode } from 'react'

interface Props {
  /** What is inside: another one is worth another try. */
  readonly subject: unknown
  readonly fallback: (failure: string, retry: () => void) => ReactNode
  readonly children: ReactNode
}

/** What throws takes itself down, not the desktop around it. */
export class Boundary extends Component<Props, { failure: string | null }> {
  override state = { failure: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  /** Told to the page as well: what just landed and does this is then taken back by itself. */
  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failure !== null && before.subject !== this.props.subject) this.setState({ failure: null })
  }

  override render() {
    if (this.state.failure === null) return this.props.children
    return this.props.fallback(this.state.failure, () => this.setState({ failure: null }))
  }
}
