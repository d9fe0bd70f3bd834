import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open.ts'
import type { Database } from '#server/core/database.ts'
import { openJobs } from '#server/core/jobs.ts'
import type { Jobs } from '#server/core/jobs.ts'
import { openLog } from '#server/core/log.ts'
import { targets } from './database-targets.ts'

const log = openLog('silent')

async function until(true_: () => boolean): Promise<void> {
  while (!true_()) await sleep(50)
}

describe.each(targets)('jobs on $kind', ({ fresh }) => {
  let place: Awaited<ReturnType<typeof fresh>>
  let database: Database
  let jobs: Jobs
  const ran: unknown[] = []
  let fails = 0

  beforeAll(async () => {
    place = await fresh()
    database = await openDatabase({ ...place, log })
    jobs = await openJobs(database, log)
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
    await until(() => ran.length > 0)
    // One worker takes them in order: what was sent before the last one has had its turn.
    await jobs.send('note', { of: 'last' })
    await until(() => ran.length > 1)
    expect(ran).toEqual([{ of: 'committed' }, { of: 'last' }])
  })

  test('a job that fails is tried again', async () => {
    await jobs.send('stumble', {})
    await until(() => ran.includes('stumbled'))
    expect(fails).toBe(3)
  })

  test('a schedule is accepted, a job without a definition is not', async () => {
    await jobs.schedule('note', '0 4 * * *')
    await expect(jobs.send('unheard', {})).rejects.toThrow('not defined')
  })
})
