import { z } from 'zod'
import { parseDay, parseMoment, toChinaDay } from '#contract/dates/dates.ts'

const NAMED_DAYS: Record<string, number> = { today: 1, week: 7, month: 30, year: 365 }
const MAX_DAYS = 3_650
/** Stands between two days; the dashes within them have no blanks around them. */
const SEPARATOR = /\s*(?:[,，~～;；|至到]|\s-\s|\sto\s|(?<=\d)\/(?=\d{4}-))\s*/

/** The last days including today, or all days in China from one to another, both included. */
export type TimeRange = { days: number } | { from: string; to: string }

/** An empty range: it ends before it begins. */
const NOTHING: TimeRange = { from: '2000-01-02', to: '2000-01-01' }

/** Reads a range as people and programs write it. Other text gives an empty range. */
function parseTimeRange(text: string): TimeRange {
  const days = NAMED_DAYS[text] ?? (/^\d{1,4}$/.test(text) ? Number(text) : null)
  if (days !== null) return days >= 1 && days <= MAX_DAYS ? { days } : NOTHING
  const [from, to, ...more] = text.split(SEPARATOR).map(toDay)
  if (!from || to === null || more.length > 0) return NOTHING
  const [first, last] = [from, to ?? from].toSorted()
  return { from: first!, to: last! }
}

function toDay(text: string): string | null {
  const at = parseMoment(text)
  return at ? toChinaDay(at) : parseDay(text)
}

export const timeRange = z.string().trim().min(1).max(100).transform(parseTimeRange)
