import { z } from 'zod'

/** A moment in an answer: ISO 8601 in UTC with milliseconds, `2026-11-22T08:00:00.000Z`. */
export const moment = z.iso.datetime({ precision: 3 })
export const createdAt = moment.describe('创建时间')
export const updatedAt = moment.describe('更新时间')
/** A day in China in an answer: `2026-11-22`. */
export const day = z.iso.date().describe('日期')

const DAY_MS = 86_400_000
/** China's offset, the same at any time of the year. */
const CHINA = '+08:00'

const WRITTEN_DAY = /^(2\d{3})([-/.])(\d{1,2})\2(\d{1,2})$|^(2\d{3})年(\d{1,2})月(\d{1,2})日$/
const WRITTEN_MOMENT = /^(.+?)(?:\s*T\s*|\s+)(\d{1,2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/** Reads a day as people write it (`2026-12-31`, `2026/12/31`, `2026年12月31日`) as `2026-12-31`; null for other text. */
export function parseDay(text: string): string | null {
  const match = WRITTEN_DAY.exec(text.trim())
  if (!match) return null
  const [year, month, date] = [match[1] ?? match[5], match[3] ?? match[6], match[4] ?? match[7]]
  const dayText = `${year}-${month!.padStart(2, '0')}-${date!.padStart(2, '0')}`
  return day.safeParse(dayText).success ? dayText : null
}

/** Reads a moment as people write it, in China's time unless they name another (`2026-12-31 08:00`); null for other text. */
export function parseMoment(text: string): Date | null {
  const match = WRITTEN_MOMENT.exec(text.trim())
  const date = match && parseDay(match[1]!)
  if (!date) return null
  const [, , time, seconds = ':00', zone = CHINA] = match
  const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const moment = new Date(`${date}T${time!.padStart(5, '0')}${seconds}${offset}`)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** Returns the day in China that a moment lies in. */
export const toChinaDay = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

/** Returns the moment at which a day in China (`2026-12-31`) is over. */
export const getEndOfDay = (dayText: string): Date =>
  new Date(new Date(`${dayText}T00:00:00${CHINA}`).getTime() + DAY_MS)
