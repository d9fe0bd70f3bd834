import type { Place } from '#contract/readings.ts'

/** A passage for a model to cite by its number. */
export type Card = { n: number; title: string; place: Place; text: string }

/** Formats a card for a prompt: its number, its place, and its text. */
export function formatCard({ n, title, place, text }: Card): string {
  const where = formatPlace(place)
  return `[${n}] ${where ? `${title}（${where}）` : title}\n${text}`
}

/** Formats the place of a passage for people. */
export function formatPlace({ page, slide, sheet, range, start_ms, heading, line, entry }: Place): string {
  return [
    entry,
    page === undefined ? '' : `第 ${page} 页`,
    slide === undefined ? '' : `第 ${slide} 张幻灯片`,
    sheet === undefined ? '' : `工作表 ${sheet}${range ? ` ${range}` : ''}`,
    start_ms === undefined ? '' : formatTime(start_ms),
    heading?.at(-1),
    line === undefined ? '' : `第 ${line} 行`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
