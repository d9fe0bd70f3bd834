import type { ReactNode } from 'react'
import { uiText } from '#web/text/ui.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type Props<T> = {
  /** As useQuery and useInfiniteQuery return it. */
  query: { data: T | undefined; error: Error | null; refetch: () => unknown }
  /** What is said when it did not load, before the server's reason; or a view of its own, with what asks again. */
  failed?: string | ((retry: () => void) => ReactNode)
  /** Stands in its place while it loads. */
  skeleton: ReactNode
  /** A failure is one line, where there is no room for more. */
  compact?: boolean
  isEmpty?: (data: T) => boolean
  /** What is said when there is nothing to show. */
  empty?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * What is read from the server, in each of its states: failed, loading, empty, or there. What is there stays when it cannot be
 * read again: somebody may be writing in it.
 */
export function QueryView<T>({ query, failed, skeleton, compact, isEmpty, empty, children }: Props<T>) {
  const { data, error, refetch } = query
  if (error && data === undefined) {
    const onRetry = () => void refetch()
    if (typeof failed === 'function') return failed(onRetry)
    const retry = (
      <Button size={compact ? 'sm' : 'md'} onClick={onRetry}>
        {uiText.retry}
      </Button>
    )
    return compact ? (
      <p className="flex items-center gap-3 text-ink2">
        {failed}
        {retry}
      </p>
    ) : (
      <EmptyState
        title={failed ?? error.message}
        description={error.message === failed ? undefined : error.message}
        action={retry}
      />
    )
  }
  if (data === undefined) return skeleton
  return isEmpty?.(data) ? empty : children(data)
}
