import { clsx } from 'clsx'
import { Play } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { VList } from 'virtua'
import type { Block, BlockPiece } from '#contract/blocks.ts'
import { cutPassage, type PassageSpan } from '#contract/documents/passages.ts'
import { formatTime } from '#web/core/formatTime.ts'
import { Markdown } from '#web/markdown/markdown.tsx'
import { blocksText } from '#web/text/blocks.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { NextPageError } from '#web/ui/layout/NextPageError.tsx'
import { usePagedRows } from '#web/ui/layout/usePagedRows.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { scrollToRange, useMarkedPassage } from './passage/useMarkedPassage.ts'
import { describePlace } from './places.ts'
import { listPieces, usePieces } from './queries.ts'
import './pieces.css'

type Props = {
  block: Block
  target: PassageSpan | null
  /** Plays the recording from this moment. */
  onSeek?: (ms: number) => void
}

/** The text read from a document, piece by piece, each under its place. */
export function PieceList({ block, target, onSeek }: Props) {
  const query = usePieces(block)
  return (
    <QueryView
      query={query}
      failed={blocksText.detailFailed}
      skeleton={<PiecesSkeleton />}
      isEmpty={({ pages }) => !pages[0]?.items.length}
      empty={<EmptyState title={blocksText.nothingRead} description={blocksText.nothingReadHint} />}
    >
      {(data) => <Pieces {...{ block, query, target }} pieces={listPieces(data)} onSeek={onSeek} />}
    </QueryView>
  )
}

type PiecesProps = Omit<Props, 'onSeek'> & {
  query: ReturnType<typeof usePieces>
  pieces: BlockPiece[]
  onSeek: ((ms: number) => void) | undefined
}

function Pieces({ block, query, pieces, target, onSeek }: PiecesProps) {
  const { list, onScroll } = usePagedRows({
    query,
    rows: pieces,
    target,
    scrollTo: (handle, index) => handle.scrollToIndex(index),
  })
  const passage = useMemo(() => {
    const parts = target ? cutPassage(pieces, target) : []
    return new Map(parts.map(({ n, text }) => [n, text]))
  }, [pieces, target])
  const sheets = [...new Set(pieces.flatMap(({ place: { sheet } }) => sheet ?? []))]
  const goToSheet = (name: string) =>
    list.current?.scrollToIndex(pieces.findIndex(({ place: { sheet } }) => sheet === name))
  return (
    <div className="flex h-full flex-col">
      {sheets.length > 1 && (
        <nav
          aria-label={blocksText.sheets}
          className="flex shrink-0 gap-1.5 overflow-x-auto px-4 pb-2 md:px-6"
        >
          {sheets.map((name) => (
            <button
              key={name}
              type="button"
              onClick={() => goToSheet(name)}
              className="inline-flex h-7.5 shrink-0 items-center rounded-full border px-3 text-note text-ink2 transition-colors hover:bg-fill max-md:h-11 max-md:px-4"
            >
              {name}
            </button>
          ))}
        </nav>
      )}
      <VList
        ref={list}
        data={pieces}
        bufferSize={600}
        onScroll={onScroll}
        role="region"
        aria-label={blocksText.contents}
        tabIndex={0}
        className="min-h-0 flex-1 overscroll-contain outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        {(piece, index) => (
          <Piece
            key={piece.n}
            piece={piece}
            previous={pieces[index - 1]}
            isPlain={block.format === 'txt'}
            target={target}
            passage={passage.get(piece.n) ?? null}
            onFound={(range) => piece.n === target?.n && scrollToRange(list.current, range)}
            onSeek={onSeek}
          />
        )}
      </VList>
      <NextPageError query={query} message={blocksText.detailFailed} />
    </div>
  )
}

type PieceProps = {
  piece: BlockPiece
  previous: BlockPiece | undefined
  /** The text is not Markdown and is shown unformatted. */
  isPlain: boolean
  target: PassageSpan | null
  /** The part of the piece that belongs to the target passage. */
  passage: string | null
  onFound: (range: Range) => void
  onSeek: ((ms: number) => void) | undefined
}

function Piece({ piece, previous, isPlain, target, passage, onFound, onSeek }: PieceProps) {
  const content = useRef<HTMLDivElement>(null)
  useMarkedPassage({ container: content, text: passage, target, onFound })
  const { text, place } = piece
  const label = describePlace(place)
  const isLabelled = label !== '' && (!previous || label !== describePlace(previous.place))
  const { start_ms } = place
  return (
    <article
      data-piece={piece.n}
      data-target={passage !== null || undefined}
      className={clsx(
        'mx-auto w-full max-w-4xl px-4 py-1.5 data-target:shadow-[inset_3px_0_0_var(--accent)] md:px-6',
        place.slide !== undefined && 'py-2!',
      )}
    >
      {isLabelled && place.slide === undefined && (
        <p className="flex items-center gap-3 py-1.5 text-xs text-ink3 tabular-nums">
          {start_ms !== undefined && onSeek ? (
            <button
              type="button"
              aria-label={blocksText.seek(formatTime(start_ms))}
              onClick={() => onSeek(start_ms)}
              className="inline-flex items-center gap-1 rounded-md text-accent hover:underline max-md:min-h-11"
            >
              <Play size={12} aria-hidden />
              {label}
            </button>
          ) : (
            label
          )}
          <span aria-hidden className="h-px flex-1 bg-line" />
        </p>
      )}
      <div
        ref={content}
        className={clsx(
          'block-piece',
          place.slide !== undefined && 'block-slide rounded-2xl border bg-raised px-5 py-4 shadow-soft',
        )}
      >
        {place.slide !== undefined && <p className="mb-1 text-xs text-ink3 tabular-nums">{label}</p>}
        {isPlain ? (
          <p className="text-reading leading-7 wrap-anywhere whitespace-pre-wrap">{text}</p>
        ) : (
          <Markdown text={text} streaming={false} />
        )}
      </div>
    </article>
  )
}

const PiecesSkeleton = () => (
  <div className="mx-auto flex w-full max-w-4xl flex-col gap-3 px-4 py-4 md:px-6">
    {['w-1/3', 'w-full', 'w-11/12', 'w-4/5', 'w-full', 'w-2/3'].map((width, n) => (
      <Skeleton key={n} className={`h-4 ${width}`} />
    ))}
  </div>
)
