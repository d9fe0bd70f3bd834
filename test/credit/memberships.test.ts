import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levels } from '#contract/users.ts'
import { scheduleMemberships } from '#server/commerce/credit/memberships.ts'

const DAY_MS = 86_400_000
const day = (nth: number) => new Date(nth * DAY_MS)
/** Formats levels with the day on which each ends. */
const schedule = (...purchases: Parameters<typeof scheduleMemberships>[0]) =>
  scheduleMemberships(purchases).map(({ level, ends_at }) => `${level} ${Date.parse(ends_at) / DAY_MS}`)

test('what is bought again goes on where the same ends', () => {
  expect(
    schedule(
      { level: 'pro-1', period: 'monthly', paid_at: day(0) },
      { level: 'pro-1', period: 'monthly', paid_at: day(10) },
    ),
  ).toEqual(['pro-1 62'])
  expect(
    schedule(
      { level: 'pro-1', period: 'monthly', paid_at: day(0) },
      { level: 'pro-4', period: 'quarterly', paid_at: day(100) },
    ),
  ).toEqual(['pro-4 192'])
})

test('a higher level counts first, and what was left of the lower one afterwards', () => {
  const lower = { level: 'pro-1', period: 'monthly', paid_at: day(0) } as const
  const higher = { level: 'pro-3', period: 'weekly', paid_at: day(10) } as const
  expect(schedule(lower, higher)).toEqual(['pro-3 17', 'pro-1 38'])
  expect(schedule(higher, { ...lower, paid_at: day(12) })).toEqual(['pro-3 17', 'pro-1 48'])
})

test('no day that was paid is lost or given twice', () => {
  const purchase = fc.record({
    level: fc.constantFrom(...levels.slice(1)),
    period: fc.constantFrom('weekly' as const, 'monthly' as const, 'yearly' as const),
    paid_at: fc.integer({ min: 0, max: 300 }).map(day),
  })
  const days = { weekly: 7, monthly: 31, yearly: 366 }
  fc.assert(
    fc.property(fc.array(purchase, { minLength: 1, maxLength: 12 }), (purchases) => {
      // One level follows the other, without a new gap: together they last as long as one queue of all purchases.
      let end = 0
      for (const { paid_at, period } of purchases.toSorted((a, b) => +a.paid_at - +b.paid_at))
        end = Math.max(end, +paid_at / DAY_MS) + days[period]
      expect(Date.parse(scheduleMemberships(purchases).at(-1)!.ends_at) / DAY_MS).toBe(end)
    }),
  )
})
