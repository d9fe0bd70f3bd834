import { toChinaDay } from '#contract/dates/dates.ts'
import type { LogWriter } from '#server/core/log.ts'

/** Warns the operator that one of their limits is nearly or wholly used: `used` of `max`. */
export type LimitAlerts = (limit: string, used: number, max: number) => void

/** The shares of a limit that cause a warning. */
const SHARES = [0.8, 1]

/** Warns at four fifths and at all of a limit, each once a day in a process. */
export function createLimitAlerts(log: LogWriter): LimitAlerts {
  const warnedDays = new Map<string, string>()
  return (limit, used, max) => {
    const share = SHARES.findLast((one) => used >= one * max)
    if (share === undefined) return
    const [name, day] = [`${limit} ${share}`, toChinaDay(new Date())]
    if (warnedDays.get(name) === day) return
    warnedDays.set(name, day)
    log.warn(
      { limit, used, max },
      share === 1 ? 'a limit of the house is used up' : 'a limit of the house is nearly used up',
    )
  }
}
