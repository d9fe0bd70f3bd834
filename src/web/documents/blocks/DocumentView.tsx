import { useMemo, useRef, useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { cutPassage, type PassageSpan } from '#contract/documents/passages.ts'
import { blocksText } from '#web/text/blocks.ts'
import { toast } from '#web/ui/toast.ts'
import { getOriginalKind, Original } from './Original.tsx'
import { PdfView } from './pdf/LazyPdfView.tsx'
import { PieceList } from './PieceList.tsx'
import { usePassagePieces } from './queries.ts'
import { ReadingReport } from './ReadingReport.tsx'

/** A document in its original form or as the text read from it, with a switch between both. */
export function DocumentView({ block, target }: { block: Block; target: PassageSpan | null }) {
  const kind = getOriginalKind(block)
  const hasOriginal = kind === 'pdf' || kind === 'image'
  const [choice, setChoice] = useState({ isOriginal: hasOriginal, after: null as PassageSpan | null })
  // A citation of a picture refers to the text read from it.
  const isOriginal = choice.isOriginal && (kind !== 'image' || choice.after === target)
  const choose = (original: boolean) => setChoice({ isOriginal: original, after: target })
  const [hasFailed, setHasFailed] = useState(false)
  const [onPdfFailed] = useState(() => () => {
    toast.error(blocksText.pdfFailed)
    setHasFailed(true)
    setChoice({ isOriginal: false, after: null })
  })
  const player = useRef<HTMLMediaElement>(null)
  const seek = (ms: number) => {
    if (!player.current) return
    player.current.currentTime = ms / 1000
    // The player itself reports a recording that the browser cannot play.
    player.current.play().catch(() => {})
  }
  const pieces = usePassagePieces(block, kind === 'pdf' ? (target?.n ?? null) : null).data
  const pageTarget = useMemo(() => {
    const first = pieces?.find(({ n }) => n === target?.n)
    if (!target || first?.place.page === undefined) return null
    const text = cutPassage(pieces ?? [], target).map((part) => part.text)
    return { page: first.place.page, text: text.join('\n\n') }
  }, [target, pieces])
  const isRecording = kind === 'audio' || kind === 'video'
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pb-2.5 md:px-5">
        {hasOriginal && !hasFailed && <ViewChoice isOriginal={isOriginal} onChange={choose} />}
        {block.report && <ReadingReport block={block} report={block.report} />}
      </div>
      {isRecording && <Original block={block} player={player} />}
      {isOriginal && kind === 'image' && <Original block={block} />}
      {isOriginal && kind === 'pdf' && (
        <div className="min-h-0 flex-1">
          <PdfView url={block.url} target={pageTarget} onFailed={onPdfFailed} />
        </div>
      )}
      {!isOriginal && (
        <div className="min-h-0 flex-1">
          <PieceList block={block} target={target} {...(isRecording ? { onSeek: seek } : {})} />
        </div>
      )}
    </div>
  )
}

type ChoiceProps = { isOriginal: boolean; onChange: (isOriginal: boolean) => void }

const ViewChoice = ({ isOriginal, onChange }: ChoiceProps) => (
  <div role="group" aria-label={blocksText.view} className="flex rounded-[10px] bg-fill p-0.5">
    {[true, false].map((original) => (
      <button
        key={String(original)}
        type="button"
        aria-pressed={isOriginal === original}
        onClick={() => onChange(original)}
        className="h-7 rounded-lg px-3 text-note text-ink2 transition-colors hover:text-ink aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-soft max-md:h-11 max-md:px-4"
      >
        {original ? blocksText.original : blocksText.text}
      </button>
    ))}
  </div>
)
