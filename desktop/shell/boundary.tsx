import { Component, type ReactNode } from 'react'

interface Props {
  /** What is inside: if it is replaced, it is tried again. */
  readonly subject: unknown
  readonly fallback: (thrown: unknown, retry: () => void) => ReactNode
  /** Called when another one stands in the place of what failed, and has come up. */
  readonly onWell?: () => void
  readonly children: ReactNode
}

interface State {
  /** In an object: what is thrown may be null. */
  readonly failure: { readonly thrown: unknown } | null
}

/** A component that throws takes only itself down, not the desktop around it. */
export class Boundary extends Component<Props, State> {
  override state: State = { failure: null }
  private isReplaced = false

  static getDerivedStateFromError(error: unknown) {
    return { failure: { thrown: error } }
  }

  /** Also reported to the page: if a landing caused it, that is then taken back without asking. */
  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failure !== null && before.subject !== this.props.subject) {
      this.isReplaced = true
      this.setState({ failure: null })
    } else if (this.isReplaced) {
      this.isReplaced = false
      if (this.state.failure === null) this.props.onWell?.()
    }
  }

  override render() {
    if (this.state.failure === null) return this.props.children
    return this.props.fallback(this.state.failure.thrown, () => this.setState({ failure: null }))
  }
}
