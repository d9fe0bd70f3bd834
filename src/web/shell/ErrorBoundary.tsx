import { Component, type ReactNode } from 'react'
import { shellText } from '#web/text/shell.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'

/** Replaces an app that threw while rendering by a message with a way out, instead of a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    return (
      <main className="grid h-dvh place-items-center">
        <EmptyState
          title={shellText.crashedTitle}
          description={shellText.crashedHint}
          action={<Button onClick={() => location.reload()}>{shellText.reload}</Button>}
        />
      </main>
    )
  }
}
