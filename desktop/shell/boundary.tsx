import { Component, type ReactNode } from 'react'

interface Props {
  /** What is inside: if it is replaced, it is tried again. */
  readonly subject: unknown
  readonly fallback: (failure: string, retry: () => void) => ReactNode
  readonly children: ReactNode
}

/** A component that throws takes only itself down, not the desktop around it. */
export class Boundary extends Component<Props, { failure: string | null }> {
  override state = { failure: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  /** Also reported to the page: if a landing caused it, that is then taken back without asking. */
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
