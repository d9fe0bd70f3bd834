import { uiText } from '#web/text/ui.ts'
import { Button } from '../Button.tsx'

type Props = {
  /** As useInfiniteQuery returns it. */
  query: {
    isLoadingError: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  message: string
}

/** Below a list that loads its pages by itself: after a failure the person asks for the page, for scrolling would ask again and again. */
export function NextPageError({ query, message }: Props) {
  if (!query.isLoadingError && !query.isFetchNextPageError) return null
  return (
    <p
      role="alert"
      className="flex shrink-0 items-center gap-3 border-t px-4 py-2 text-note text-ink2 md:px-6"
    >
      {message}
      <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {uiText.retry}
      </Button>
    </p>
  )
}
