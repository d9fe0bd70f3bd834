import type { PiecePlace } from '#contract/blocks.ts'
import { blocksText } from '#web/text/blocks.ts'

/** `1:05`, from an hour on `1:02:05`. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`
}

/** Where a piece stands, as people would say it; empty where its text says it itself. */
export function describePlace({ page, slide, sheet, range, start_ms, end_ms, entry }: PiecePlace): string {
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
