import type { ComponentProps } from 'react'
import { ApiError } from '#web/core/api.ts'
import { loadNextPage, type PagedQuery } from '#web/core/queryClient.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '../Button.tsx'
import { toast } from '../toast.ts'

type Props = Pick<ComponentProps<typeof Button>, 'size' | 'className' | 'children'> & {
  /** As useInfiniteQuery returns it. */
  query: PagedQuery<{ isFetchNextPageError: boolean; error: Error | null }> & { hasNextPage: boolean }
}

/** Loads the next page of a list; renders nothing if there is none. A failure is a toast, since the list stays as it is. */
export function MoreButton({ query, ...rest }: Props) {
  if (!query.hasNextPage) return null
  const load = async () => {
    const { isFetchNextPageError, error } = await loadNextPage(query)
    if (isFetchNextPageError) toast.error(error instanceof ApiError ? error.message : uiText.loadFailed)
  }
  return <Button {...rest} pending={query.isFetchingNextPage} onClick={() => void load()} />
}
