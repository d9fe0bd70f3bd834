import { clsx } from 'clsx'
import { ChevronDown, CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { blocksText } from '#web/text/blocks.ts'
import { Button } from '#web/ui/Button.tsx'
import { rereadBlock } from './blockActions.tsx'
import { ModelRereadDialog } from './ModelRereadDialog.tsx'
import { useVisionModels } from './queries.ts'

type Report = NonNullable<Block['report']>

/** The unread parts and the reasons, one a line. */
function listGaps({ unit, blank, garbled, skipped }: Report): string[] {
  const unread = skipped.filter(({ reason }) => reason !== 'hidden')
  return [
    ...(blank.length ? [blocksText.blank(blank, unit)] : []),
    ...(garbled.length ? [blocksText.garbled(garbled, unit)] : []),
    ...new Set(unread.map(formatSkipped)),
  ]
}

/** Parts that the document does not show, and that were read. */
const listHidden = ({ skipped }: Report): string[] => [
  ...new Set(skipped.filter(({ reason }) => reason === 'hidden').map(formatSkipped)),
]

const formatSkipped = ({ what, message }: Report['skipped'][number]): string =>
  what ? `${what}：${message}` : message

/** Sums up in one line how much of a document was read, and lists the unread parts below, with the reasons. */
export function ReadingReport({ block, report }: { block: Block; report: Report }) {
  const { unit, total, read, blank, garbled, recognised, encoding } = report
  const gaps = listGaps(report)
  const hidden = listHidden(report)
  const bad = [...new Set([...blank, ...garbled])].sort((a, b) => a - b)
  // Pages of a PDF can be rendered and read as pictures.
  const badPages = block.format === 'pdf' ? bad : []
  const readUnits = Math.min(read, total - bad.length)
  const isWhole = gaps.length === 0 && read >= total
  const notes = [
    ...(recognised.length ? [blocksText.recognised(recognised, unit)] : []),
    ...(block.error ? [block.error] : []),
    ...(encoding && encoding !== 'utf-8' ? [blocksText.encoding(encoding)] : []),
  ]
  if (isWhole && !hidden.length)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="flex min-h-8 items-center gap-2 text-note text-ink3 tabular-nums">
          <CircleCheck size={15} aria-hidden className="shrink-0 text-success" />
          {[blocksText.allRead(total, unit), ...notes].join(' · ')}
        </p>
        <ModelReread block={block} report={report} bad={bad} />
      </div>
    )
  return (
    <details className="group text-note tabular-nums open:w-full">
      <summary
        className={clsx(
          'flex min-h-8 list-none items-center gap-2 rounded-md max-md:min-h-11',
          isWhole ? 'text-ink3' : 'text-warning',
        )}
      >
        {isWhole ? (
          <CircleCheck size={15} aria-hidden className="shrink-0 text-success" />
        ) : (
          <CircleAlert size={15} aria-hidden className="shrink-0" />
        )}
        {isWhole
          ? blocksText.readHidden(hidden.length)
          : readUnits < total
            ? blocksText.partRead(readUnits, total, unit)
            : blocksText.readExcept(gaps.length)}
        <ChevronDown size={15} aria-hidden className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-2 flex flex-wrap items-end justify-between gap-3 rounded-xl bg-fill px-4 py-3">
        <ul aria-label={blocksText.report} className="flex flex-col gap-1 text-ink2">
          {[...gaps, ...hidden, ...notes].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          {badPages.length > 0 && (
            <Button size="sm" onClick={() => void rereadBlock(block, { pages: badPages })}>
              {blocksText.rereadPages(badPages.length)}
            </Button>
          )}
          <ModelReread block={block} report={report} bad={bad} />
        </div>
      </div>
    </details>
  )
}

/** Offers to have a vision model, where there is one, read bad pages, pages read by OCR, or a picture. */
function ModelReread({ block, report, bad }: { block: Block; report: Report; bad: number[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const pages = bad.length ? bad : report.recognised
  const isPicture = report.unit === 'image'
  const canHelp = isPicture || (block.format === 'pdf' && pages.length > 0)
  const models = useVisionModels(canHelp).data ?? []
  if (!canHelp || !models.length) return null
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        {blocksText.rereadByModel}
      </Button>
      <ModelRereadDialog
        {...{ block, models }}
        pages={isPicture ? null : pages}
        open={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}
