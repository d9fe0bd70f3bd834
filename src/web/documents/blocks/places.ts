import type { Place } from '#contract/readings.ts'
import { formatTime } from '#web/core/formatTime.ts'
import { blocksText } from '#web/text/blocks.ts'

/** Describes where a piece stands, in Chinese; empty where its text says so itself. */
export function describePlace({ page, slide, sheet, range, start_ms, end_ms, entry }: Place): string {
  const parts = [
    entry,
    page === undefined ? undefined : blocksText.page(page),
    slide === undefined ? undefined : blocksText.slide(slide),
    sheet,
    range?.replace(/^(\w+):\1$/, '$1'),
    start_ms === undefined
      ? undefined
      : [start_ms, ...(end_ms === undefined ? [] : [end_ms])].map(formatTime).join('–'),
  ]
  return parts.filter(Boolean).join(' · ')
}
