import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { compareText } from '#web/text/compare/compare.ts'
import { ColumnView } from './ColumnView.tsx'
import type { CompareView, ShownColumn } from '../state/compareView.ts'

type Props = {
  view: CompareView
  /** Those that are shown: all of them, or the two whose answers are told apart. */
  columns: readonly ShownColumn[]
  hasMore: boolean
  /** Model of the answer that won the newest turn. */
  winner: string | undefined
}

/** The columns side by side; on a phone one at a time, as cards that are swiped, with their names above. */
export function Columns({ view, columns, hasMore, winner }: Props) {
  const row = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(0)
  const listScrollers = () => [...(row.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  const show = (index: number) => {
    const column = listScrollers()[index]?.parentElement
    column?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
  const onScroll = () => {
    const { scrollLeft = 0, scrollWidth = 1, clientWidth = 0 } = row.current ?? {}
    const share = scrollLeft / Math.max(1, scrollWidth - clientWidth)
    setShown(Math.round(share * (columns.length - 1)))
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const scrollers = listScrollers()
    const at = scrollers.findIndex((scroller) => scroller === event.target)
    const next = scrollers[at + step]
    // Inside a column the keys are its own.
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
  // Snapping stays with the column that was shown, wherever the order of a blind comparison has put it: with its session a
  // new one is given another order, and begins with the first.
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
            aria-current={i === shown}
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
          // Where the window is very low, as on a page that is enlarged, the page scrolls rather than that nothing is left of them.
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
