import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { bigint, customType, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import type { Database } from '#server/core/database/database.ts'
import { runMaintenance } from '#server/core/database/maintenance.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import type { JobQueue } from '#server/core/jobs.ts'
import { createLog } from '#server/core/log.ts'
import { targets } from './database-targets.ts'

const log = createLog('silent')
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const things = pgTable('things', {
  id: bigint({ mode: 'bigint' }).primaryKey(),
  body: jsonb(),
  at: timestamp({ withTimezone: true }),
  numbers: integer().array(),
  words: text().array(),
  bytes: bytea(),
})

describe.each(targets)('on $kind', ({ kind, createDatabase }) => {
  let place: Awaited<ReturnType<typeof createDatabase>>
  let database: Database
  /** The reason why the embedded database went down. */
  let told: Error | undefined
  beforeAll(async () => {
    place = await createDatabase()
    database = await openDatabase({ ...place, log, onLost: (error) => (told = error) })
    await database.db.execute(sql`CREATE TABLE things
      (id bigint PRIMARY KEY, body jsonb, at timestamptz, numbers int[], words text[], bytes bytea)`)
  })
  afterAll(async () => {
    if (!told) await database.close()
    await place.remove()
  })

  test('values come back as they went in', async () => {
    const thing = {
      id: 9_007_199_254_740_993n,
      body: { 问: ['渠', 1, null, 'it\'s \\ "quoted"'] },
      at: new Date('2024-02-29T23:59:59.123Z'),
      numbers: [1, -2],
      words: ['a,b', '{"}', '清 如许', ''],
      bytes: Buffer.from([0, 1, 127, 128, 255]),
    }
    await database.db.insert(things).values(thing)
    expect(await database.db.select().from(things).where(eq(things.id, thing.id))).toEqual([thing])
  })

  test('raw rows hold the same JavaScript values on both databases', async () => {
    const { rows } = await database.db.execute(sql`SELECT 1::int8 AS a, 1.50::numeric AS b, 'x'::text AS c,
      '{"a":1}'::jsonb AS d, '\\x00ff'::bytea AS e, ARRAY[1,2] AS f, NULL AS g, true AS h, 2::int4 AS i`)
    expect(rows).toEqual([
      { a: '1', b: '1.50', c: 'x', d: { a: 1 }, e: Buffer.from([0, 255]), f: [1, 2], g: null, h: true, i: 2 },
    ])
  })

  test('an error carries its code and constraint, and its transaction is undone', async () => {
    const twice = database.db.transaction(async (tx) => {
      await tx.insert(things).values({ id: 7n })
      await tx.insert(things).values({ id: 7n })
    })
    await expect(twice).rejects.toMatchObject({ cause: { code: '23505', constraint: 'things_pkey' } })
    expect(await database.db.$count(things, eq(things.id, 7n))).toBe(0)
  })

  test('a statement that was used before says what its table has now', async () => {
    const { db } = database
    const read = async (reader: Pick<typeof db, 'execute'> = db) =>
      (await reader.execute(sql`SELECT * FROM shapes WHERE id = ${1}`)).rows
    await db.execute(sql`CREATE TABLE shapes (id int PRIMARY KEY)`)
    await db.execute(sql`INSERT INTO shapes VALUES (1)`)
    expect(await read()).toEqual([{ id: 1 }])
    await db.execute(sql`ALTER TABLE shapes ADD COLUMN form text DEFAULT '圆'`)
    expect(await read()).toEqual([{ id: 1, form: '圆' }])
    const undone = db.transaction(async (tx) => {
      await tx.execute(sql`ALTER TABLE shapes ALTER COLUMN id TYPE bigint`)
      expect(await read(tx)).toEqual([{ id: '1', form: '圆' }])
      throw new Error('on second thoughts')
    })
    await expect(undone).rejects.toThrow('on second thoughts')
    expect(await read()).toEqual([{ id: 1, form: '圆' }])
    await db.execute(sql`DROP TABLE shapes`)
    await expect(read()).rejects.toMatchObject({ cause: { code: '42P01' } })
  })

  test('a statement that failed works again with other values, inside a transaction and outside', async () => {
    const divide = (by: number) => sql`SELECT 12 / ${by}::int AS part`
    await expect(database.db.execute(divide(0))).rejects.toMatchObject({ cause: { code: '22012' } })
    expect((await database.db.execute(divide(4))).rows).toEqual([{ part: 3 }])
    const failing = database.db.transaction((tx) => tx.execute(divide(0)))
    await expect(failing).rejects.toMatchObject({ cause: { code: '22012' } })
    const rows = await database.db.transaction(async (tx) => (await tx.execute(divide(3))).rows)
    expect(rows).toEqual([{ part: 4 }])
  })

  test('any number of different statements, short and long, answer as often as they are asked', async () => {
    const ask = async (nth: number, length: number) => {
      const { rows } = await database.db.execute(
        sql`SELECT ${nth}::int AS ${sql.raw(`n${nth}`)}, length(${sql.raw(`'${'长'.repeat(length)}'`)}) AS length`,
      )
      expect(rows).toEqual([{ [`n${nth}`]: nth, length }])
    }
    for (const round of [1, 2]) for (let nth = 0; nth < 300; nth++) await ask(nth, nth % 50 ? round : 12_000)
  })

  test('a transaction without a statement is none', async () => {
    expect(await database.db.transaction(async () => '空')).toBe('空')
    expect((await database.db.execute(sql`SELECT 1 AS one`)).rows).toEqual([{ one: 1 }])
  })

  test('db inside db.transaction is refused instead of waiting for ever', async () => {
    const refusal = { cause: { message: expect.stringContaining('use the tx') as string } }
    const inside = database.db.transaction(async () => database.db.execute(sql`SELECT 1`))
    await expect(inside).rejects.toMatchObject(refusal)
    const nested = database.db.transaction(async () => database.db.transaction(async () => {}))
    await expect(nested).rejects.toThrow('use the tx')
  })

  test('what a transaction started and left behind may use db once it has ended', async () => {
    const ended = Promise.withResolvers<void>()
    let left: Promise<number> | undefined
    await database.db.transaction(async () => {
      left = ended.promise.then(() => database.db.$count(things))
    })
    ended.resolve()
    expect(await left).toBeGreaterThanOrEqual(0)
  })

  test('concurrent transactions do not see into each other', async () => {
    await database.db.execute(sql`CREATE TABLE counter (n int NOT NULL)`)
    await database.db.execute(sql`INSERT INTO counter VALUES (0)`)
    const increment = () =>
      database.db.transaction(async (tx) => {
        const { rows } = await tx.execute<{ n: number }>(sql`SELECT n FROM counter FOR UPDATE`)
        await tx.execute(sql`UPDATE counter SET n = ${(rows[0]?.n ?? 0) + 1}`)
      })
    await Promise.all(Array.from({ length: 40 }, increment))
    expect((await database.db.execute(sql`SELECT n FROM counter`)).rows).toEqual([{ n: 40 }])
  })

  describe('jobs', () => {
    let jobs: JobQueue
    const ran: unknown[] = []
    let fails = 0

    beforeAll(async () => {
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

  // Last, since the database does not outlive it.
  const ownWays =
    kind === 'pglite' ? ['undoes half of what failed, is kept tidy, and says why it goes down'] : []
  test.each(ownWays)('the embedded database %s', async () => {
    if (database.kind !== 'pglite') throw new Error('not the embedded database')
    const { client } = database
    // Statements that open a transaction and fail leave nothing behind.
    const broken = client.exec('BEGIN; CREATE TABLE half (n int); SELECT nothing; COMMIT')
    const next = client.query<{ half: null }>(`SELECT to_regclass('half') AS half`)
    await expect(broken).rejects.toMatchObject({ code: '42703' })
    expect((await next).rows).toEqual([{ half: null }])

    // Housekeeping reclaims dead rows and bounds the write-ahead log.
    await client.exec(`CREATE TABLE worn (n int);
      INSERT INTO worn SELECT n FROM generate_series(1, 3000) AS n;
      UPDATE worn SET n = n + 1`)
    // Each takes a segment of the log, 16 MB.
    for (let n = 0; n < 3; n++) await client.exec('SELECT pg_switch_wal(); UPDATE worn SET n = n WHERE n = 2')
    const state = async () => {
      const { rows } = await client.query<{ dead: string; wal: string }>(`SELECT n_dead_tup AS dead,
        pg_current_wal_insert_lsn() - (SELECT redo_lsn FROM pg_control_checkpoint()) AS wal
        FROM pg_stat_user_tables WHERE relname = 'worn'`)
      return { dead: Number(rows[0]?.dead), wal: Number(rows[0]?.wal) }
    }
    // Otherwise counts are written at most once a second.
    await client.exec('SELECT pg_stat_force_next_flush()')
    const before = await state()
    expect(before.dead).toBeGreaterThanOrEqual(3_000)
    expect(before.wal).toBeGreaterThan(32 * 1024 * 1024)
    await runMaintenance(client)
    const after = await state()
    expect(after.dead).toBe(0)
    expect(after.wal).toBeLessThan(1024 * 1024)

    // The database cannot go on without its write-ahead log, as on a full disk.
    await rm(join(place.data_dir, 'database', 'pg_wal'), { recursive: true })
    const last = client.exec('SELECT pg_switch_wal(); CREATE TABLE lost (n int)')
    const waiting = database.db.execute(sql`SELECT 1`)
    await expect(last).rejects.toThrow()
    await expect(waiting).rejects.toThrow()
    await expect(database.ping()).rejects.toThrow()
    expect(told?.message).toMatch(/PANIC.*pg_wal/)
    await expect(database.close()).rejects.toThrow('PANIC')
  })
})
