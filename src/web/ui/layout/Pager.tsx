import { uiText } from '#web/text/ui.ts'
import { Button } from '../Button.tsx'

type Props = {
  /** The current page, as list calls return it. */
  list: {
    prev_url: string | null
    next_url: string | null
    cur_page: number
    from: number
    to: number
    total: number
  }
  onPageChange: (page: number) => void
}

/** Links to the pages before and after; renders nothing if there are none. */
export function Pager({ list: { prev_url, next_url, cur_page, from, to, total }, onPageChange }: Props) {
  if (!prev_url && !next_url) return null
  return (
    <nav aria-label={uiText.pages} className="mt-4 flex items-center justify-center gap-3">
      <Button size="sm" disabled={!prev_url} onClick={() => onPageChange(cur_page - 1)}>
        {uiText.previousPage}
      </Button>
      <span className="text-note text-ink2 tabular-nums">{uiText.page(from, to, total)}</span>
      <Button size="sm" disabled={!next_url} onClick={() => onPageChange(cur_page + 1)}>
        {uiText.nextPage}
      </Button>
    </nav>
  )
}
