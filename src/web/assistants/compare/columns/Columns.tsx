import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { compareText } from '#web/text/compare/compare.ts'
import { ColumnView } from './ColumnView.tsx'
import type { CompareView, ShownColumn } from '../state/compareView.ts'

type Props = {
  view: CompareView
  /** The columns shown: all of them, or the two whose answers are compared word by word. */
  columns: readonly ShownColumn[]
  hasMore: boolean
  /** Model of the answer that won the newest turn. */
  winner: string | undefined
}

/** The columns side by side; on a phone one at a time, as cards to swipe, with their names above. */
export function Columns({ view, columns, hasMore, winner }: Props) {
  const row = useRef<HTMLDivElement>(null)
  const [shownIndex, setShownIndex] = useState(0)
  const listScrollers = () => [...(row.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  const show = (index: number) => {
    const column = listScrollers()[index]?.parentElement
    column?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
  const onScroll = () => {
    const { scrollLeft = 0, scrollWidth = 1, clientWidth = 0 } = row.current ?? {}
    const share = scrollLeft / Math.max(1, scrollWidth - clientWidth)
    setShownIndex(Math.round(share * (columns.length - 1)))
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const scrollers = listScrollers()
    const at = scrollers.findIndex((scroller) => scroller === event.target)
    const next = scrollers[at + step]
    // Keys pressed inside a column belong to it.
    if (!step || at < 0 || !next) return
    event.preventDefault()
    next.focus({ preventScroll: true })
    show(at + step)
  })
  useEffect(() => {
    const element = row.current
    const onKeyDown = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [])
  const order = columns.map(({ column }) => column.model).join()
  // Scroll snapping stays with the column that was shown. Given a session, a new blind comparison gets another order, and has to
  // begin with the first column.
  useLayoutEffect(() => {
    if (view.isHidden) row.current?.scrollTo({ left: 0 })
  }, [order, view.isHidden])
  return (
    <>
      <nav
        aria-label={compareText.models}
        className="flex shrink-0 gap-1 overflow-x-auto border-b px-2 [scrollbar-width:none] md:hidden"
      >
        {columns.map(({ column, name }, i) => (
          <button
            key={column.model}
            type="button"
            aria-current={i === shownIndex}
            onClick={() => show(i)}
            className="min-h-11 max-w-44 shrink-0 truncate border-b-2 border-transparent px-2.5 text-note text-ink2 aria-[current=true]:border-ink aria-[current=true]:font-medium aria-[current=true]:text-ink"
          >
            {name}
          </button>
        ))}
      </nav>
      <div
        ref={row}
        role="group"
        aria-label={compareText.columns}
        onScroll={onScroll}
        className={clsx(
          // In a very low window, as on an enlarged page, the page scrolls instead of hiding the columns.
          'flex min-h-44 flex-1 overflow-x-auto overflow-y-hidden overscroll-x-contain',
          'max-md:snap-x max-md:snap-mandatory max-md:[scrollbar-width:none]',
        )}
      >
        {columns.map(({ column, name, best }, i) => (
          <ColumnView
            key={column.model}
            column={column}
            name={name}
            best={best}
            position={`${i + 1}/${columns.length}`}
            newest={view.newest}
            isHidden={view.isHidden}
            firstShown={view.firstShown}
            hasMore={hasMore}
            isWinner={column.model === winner}
          />
        ))}
      </div>
    </>
  )
}
