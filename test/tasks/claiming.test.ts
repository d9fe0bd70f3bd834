import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { cancelTask, claimTask, insertTask } from '#server/tasks/store.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()

test('a task that is being stopped while the next one is looked for is passed over', async () => {
  const db = world.db()
  const owner = { user_id: createId(), account_id: createId(), budgets: [] }
  const [stopped, next] = [createId(), createId()]
  await db.transaction(async (tx) => {
    for (const id of [stopped, next])
      await insertTask(tx, { ...owner, id, kind: 'nobody’s', payload: {}, name: '' })
  })
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stopping = db.transaction(async (tx) => {
    await cancelTask(tx, owner.user_id, stopped)
    held.resolve()
    await release.promise
  })
  await held.promise
  const claim = { kinds: ['nobody’s'], max_per_user: 2, execution_id: createId() }
  const claiming = claimTask(db, claim)
  // The embedded database makes it wait for the one connection.
  if (process.env.DATABASE_URL) await claiming
  release.resolve()
  await stopping
  expect((await claiming)?.id).toBe(next)
  expect(await claimTask(db, claim)).toBeUndefined()
})

test('of one person’s tasks no more are claimed than may run at a time, of another’s the next', async () => {
  const db = world.db()
  const kind = 'counted'
  const owners = [createId(), createId()].map((userId) => ({
    user_id: userId,
    account_id: createId(),
    budgets: [],
  }))
  for (const owner of [owners[0]!, owners[0]!, owners[1]!])
    await db.transaction((tx) => insertTask(tx, { ...owner, id: createId(), kind, payload: {}, name: '' }))
  const claim = () => claimTask(db, { kinds: [kind], max_per_user: 1, execution_id: createId() })
  const claimed = [await claim(), await claim(), await claim()]
  expect(claimed.map((task) => task?.user_id)).toEqual([owners[0]!.user_id, owners[1]!.user_id, undefined])
})
