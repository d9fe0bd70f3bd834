import type { ReactNode } from 'react'
import { uiText } from '#web/text/ui.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type Props<T> = {
  /** As useQuery and useInfiniteQuery return it. */
  query: { data: T | undefined; error: Error | null; refetch: () => unknown }
  /** Text shown before the server's reason when loading failed, or a renderer that gets the retry function. */
  failed?: string | ((retry: () => void) => ReactNode)
  /** Shown while loading. */
  skeleton: ReactNode
  /** A failure takes one line, for places without room for more. */
  compact?: boolean
  isEmpty?: (data: T) => boolean
  /** Shown if there is no data. */
  empty?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * Shows server data in each state: failed, loading, empty, or loaded. Loaded data stays when reloading fails, because somebody
 * may be editing it.
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
