import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { AppError } from '#server/core/app-error.ts'
import { returnUse, sweepUses, takeUse } from '#server/core/limits/limits.ts'
import type { LimitedKey } from '#server/core/limits/limits.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const take = (...keys: LimitedKey[]): Promise<string> => world.db().transaction((tx) => takeUse(tx, keys))
/** Returns the seconds to wait, or null where the use was counted. */
const waitFor = (...keys: LimitedKey[]): Promise<number | null> =>
  take(...keys).then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.retry_after! : Promise.reject(error)),
  )
const HOUR = 3_600
const age = (key: string, seconds: number) =>
  world.db().execute(sql`
    UPDATE limit_uses SET used_at = used_at - make_interval(secs => ${seconds}) WHERE key = ${key}`)
const countUses = async (key: string): Promise<number> => {
  const { rows } = await world
    .db()
    .execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM limit_uses WHERE key = ${key}`)
  return rows[0]!.n
}

test('of many uses at once exactly as many as the limit says are counted', async () => {
  const key = { key: 'crowd', limits: [{ max: 5, seconds: HOUR }] }
  const waits = await Promise.all(Array.from({ length: 40 }, () => waitFor(key)))
  expect(waits.filter((wait) => wait === null)).toHaveLength(5)
  expect(await countUses('crowd')).toBe(5)
})

test('a use counts for all of its keys or for none, whatever order they are named in', async () => {
  const scarce = { key: 'scarce', limits: [{ max: 1, seconds: HOUR }] }
  const ample = { key: 'ample', limits: [{ max: 100, seconds: HOUR }] }
  const orders = Array.from({ length: 20 }, (_, at) => (at % 2 ? [scarce, ample] : [ample, scarce]))
  const waits = await Promise.all(orders.map((keys) => waitFor(...keys)))
  expect(waits.filter((wait) => wait === null)).toHaveLength(1)
  expect(await countUses('ample')).toBe(1)
})

test('a window slides: each use is forgotten when its time has passed, and the wait says when', async () => {
  const key = {
    key: 'sliding',
    limits: [
      { max: 2, seconds: HOUR },
      { max: 3, seconds: 24 * HOUR },
    ],
  }
  expect(await waitFor(key)).toBeNull()
  await age('sliding', HOUR - 600)
  expect(await waitFor(key)).toBeNull()
  expect(Math.round((await waitFor(key))! / 60)).toBe(10)
  await age('sliding', 601)
  expect(await waitFor(key)).toBeNull()
  // The hour has room after another hour, the day only when its first use is a day old.
  await age('sliding', HOUR)
  expect(Math.round((await waitFor(key))! / HOUR)).toBe(22)
  // The sweep keeps uses that a day still counts.
  await sweepUses(world.db())
  expect(Math.round((await waitFor(key))! / HOUR)).toBe(22)
  await age('sliding', 24 * HOUR)
  await sweepUses(world.db())
  expect(await countUses('sliding')).toBe(0)
})

test('a use that is given back counts no more', async () => {
  const key = { key: 'returned', limits: [{ max: 1, seconds: HOUR }] }
  const use = await take(key)
  expect(await waitFor(key)).not.toBeNull()
  await returnUse(world.db(), use)
  expect(await waitFor(key)).toBeNull()
})

test('a limit of none lets nobody through', async () => {
  expect(await waitFor({ key: 'none', limits: [{ max: 0, seconds: HOUR }] })).toBe(HOUR)
})
