import { loadNextPage, type PagedQuery } from '#web/core/queryClient.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '../Button.tsx'

type Props = {
  /** As useInfiniteQuery returns it. */
  query: PagedQuery & { isLoadingError: boolean; isFetchNextPageError: boolean }
  message: string
}

/** Stands below a list that loads pages automatically. After a failure the person retries: scrolling would retry endlessly. */
export function NextPageError({ query, message }: Props) {
  if (!query.isLoadingError && !query.isFetchNextPageError) return null
  return (
    <p
      role="alert"
      className="flex shrink-0 items-center gap-3 border-t px-4 py-2 text-note text-ink2 md:px-6"
    >
      {message}
      <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void loadNextPage(query)}>
        {uiText.retry}
      </Button>
    </p>
  )
}
