import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import type { Database } from '#server/core/database/database.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import type { JobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { targets } from './database-targets.ts'

const log = createLog('silent')

describe.each(targets)('jobs on $kind', ({ createDatabase }) => {
  let place: Awaited<ReturnType<typeof createDatabase>>
  let database: Database
  let jobs: JobQueue
  const ran: unknown[] = []
  let fails = 0

  beforeAll(async () => {
    place = await createDatabase()
    database = await openDatabase({ ...place, log })
    jobs = await createJobQueue(database, log)
    await jobs.define('note', async (data) => void ran.push(data))
    await jobs.define(
      'stumble',
      async () => {
        if (++fails < 3) throw new Error('not yet')
        ran.push('stumbled')
      },
      { retryDelay: 1 },
    )
    await jobs.start()
  })
  afterAll(async () => {
    await jobs.stop()
    await database.close()
    await place.remove()
  })

  test('a job of a rolled-back transaction never runs, one of a committed transaction runs once', async () => {
    const undone = database.db.transaction(async (tx) => {
      await jobs.send('note', { of: 'rolled back' }, { tx })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await database.db.transaction((tx) => jobs.send('note', { of: 'committed' }, { tx }))
    await expect.poll(() => ran).not.toEqual([])
    // One worker takes them in order: jobs sent before the last one have had their turn.
    await jobs.send('note', { of: 'last' })
    await expect.poll(() => ran).toEqual([{ of: 'committed' }, { of: 'last' }])
  })

  test('a job that fails is tried again', async () => {
    await jobs.send('stumble', {})
    await expect.poll(() => ran).toContain('stumbled')
    expect(fails).toBe(3)
  })

  test('a schedule is accepted, a job without a definition is not', async () => {
    await jobs.schedule('note', '0 4 * * *')
    await expect(jobs.send('unheard', {})).rejects.toThrow('not defined')
  })
})
