import { Component, type ReactNode } from 'react'

interface Props {
  /** What is inside: if it is replaced, it is tried again. */
  readonly subject: unknown
  /** `tries`: how often it was tried again here, in vain. */
  readonly fallback: (thrown: unknown, retry: () => void, tries: number) => ReactNode
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
  private tries = 0

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
      this.tries = 0
      this.setState({ failure: null })
    } else if (this.isReplaced) {
      this.isReplaced = false
      if (this.state.failure === null) this.props.onWell?.()
    }
  }

  override render() {
    if (this.state.failure === null) return this.props.children
    const retry = () => {
      this.tries++
      this.setState({ failure: null })
    }
    return this.props.fallback(this.state.failure.thrown, retry, this.tries)
  }
}
