import type { Transaction } from '#contract/statistics/statistics.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'

/** Filters of the transactions, and the page shown. An empty value matches everything. */
export type TransactionFilter = {
  action: Transaction['action'] | ''
  channel: NonNullable<Transaction['channel']> | ''
  /** The kind of run. */
  source: string
  model: string
  /** The id of an API key. */
  keyId: string
  /** `days`: from `from` to `to`, each of which may be open. */
  timeRange: keyof typeof statisticsText.ranges | ''
  /** In a date field's format; while a year is typed it is an early one. */
  from: string
  to: string
  page: number
}

export const noFilter: TransactionFilter = {
  action: '',
  channel: '',
  source: '',
  model: '',
  keyId: '',
  timeRange: '',
  from: '',
  to: '',
  page: 1,
}

/** The first and the last day that the server accepts. */
export const FIRST_DAY = '2000-01-01'
const LAST_DAY = '2999-12-31'
const isDay = (text: string): boolean => /^2\d{3}-\d\d-\d\d$/.test(text)

/** Returns the filters as parameters of calls. Days are put in order, and an open end becomes the first or last day. */
export function toQuery({ action, channel, source, model, keyId, timeRange, from, to }: TransactionFilter) {
  const days = [isDay(from) ? from : FIRST_DAY, isDay(to) ? to : LAST_DAY].toSorted()
  const range =
    timeRange === 'days' ? (isDay(from) || isDay(to)) && (`${days[0]!}~${days[1]!}` as const) : timeRange
  return {
    ...(action && { action }),
    ...(channel && { channel }),
    ...(source && { source }),
    ...(model && { model }),
    ...(keyId && { keyId }),
    ...(range && { timeRange: range }),
  }
}

export const isFiltered = (filter: TransactionFilter): boolean =>
  Object.entries(filter).some(([name, value]) => name !== 'page' && value !== '')

/** Returns a value of the address if it is among the choices. */
const choose = <T extends string>(value: string | null, choices: Partial<Record<T, string>>): T | '' =>
  value !== null && Object.hasOwn(choices, value) ? (value as T) : ''

export function parseFilter(query: URLSearchParams): TransactionFilter {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''].map((day) => (isDay(day) ? day : ''))
  const keyId = query.get('keyId') ?? ''
  const page = Number(query.get('page'))
  return {
    action: choose(query.get('action'), statisticsText.actions),
    channel: choose(query.get('channel'), statisticsText.channels),
    source: choose(query.get('source'), statisticsText.kinds),
    model: (query.get('model') ?? '').slice(0, 120),
    keyId: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(keyId) ? keyId : '',
    timeRange: from || to ? 'days' : choose(query.get('timeRange'), statisticsText.ranges),
    from: from!,
    to: to!,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

export function serializeFilter(filter: TransactionFilter): URLSearchParams {
  const { timeRange: _, ...query } = toQuery(filter)
  const { timeRange, from, to, page } = filter
  return new URLSearchParams({
    ...query,
    ...(timeRange && { timeRange }),
    ...(timeRange === 'days' && isDay(from) && { from }),
    ...(timeRange === 'days' && isDay(to) && { to }),
    ...(page > 1 && { page: String(page) }),
  })
}
