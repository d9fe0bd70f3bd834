import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lockRows, waitForWaiting } from '../world/locks.ts'
import { useOwnWorld } from '../world/use-world.ts'

/** Limits for one person follow from these: four calls and 80 kB of bodies under way. */
const world = useOwnWorld({ capacity: { max_calls: 50, max_body_bytes: 4_000_000 } })

test.runIf(process.env.DATABASE_URL)(
  'calls that were left while their cookie was looked up are not counted as under way',
  async () => {
    const user = await world.user()
    const save = (signal?: AbortSignal): Promise<Response> =>
      user.fetch('/api/user/model', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'x'.repeat(60_000) }),
        ...(signal ? { signal } : {}),
      })
    const { status } = await save()
    for (let left = 0; left < 5; left++) {
      const leave = new AbortController()
      const lookup = await lockRows(world.db(), sql`LOCK TABLE auth_sessions IN ACCESS EXCLUSIVE MODE`)
      const calls = [save(leave.signal), user.fetch('/api/user/info', { signal: leave.signal })]
      for (const call of calls) call.catch(() => {})
      await waitForWaiting(world.db(), 2)
      leave.abort()
      await Promise.allSettled(calls)
      // These answers come after the server has seen the others go.
      for (let nth = 0; nth < 2; nth++) expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
      await lookup.release()
    }
    await expect.poll(async () => (await user.fetch('/api/user/info')).status).toBe(200)
    expect((await save()).status).toBe(status)
  },
)
