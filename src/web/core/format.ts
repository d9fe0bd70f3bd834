/** Formats coins with two decimals (specification section 9): `1,128.50`. */
export const formatCoins = (amount: number): string =>
  amount.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats a time in the reader's time zone: `2025-01-31 09:05:00`. */
export const formatDateTime = (iso: string): string => new Date(iso).toLocaleString('sv-SE')

/** Formats a time in the reader's time zone: `09:05` today, else `11月22日 23:59`, with the year if it is another one. */
export function formatShortTime(iso: string, now: Date): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === now.toDateString()
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  const date = at.toLocaleDateString('zh-CN', { ...year, month: 'long', day: 'numeric' })
  const time = at.toLocaleTimeString('zh-CN', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return isToday ? time : `${date} ${time}`
}
