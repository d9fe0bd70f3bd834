import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { FREE_PRICES } from '#server/ledger/ledger.ts'
import { createPostgresDatabase } from '../world/postgres.ts'
import { settleAll } from './hold-and-settle.ts'
import { expectLedgerInvariants } from './invariants.ts'

// A database from before runs were their own holds and bills, filled by the functions of that version.

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const GRANTS = '00000000-0000-7000-8000-000000000001'
const INCOME = '00000000-0000-7000-8000-000000000002'

/** Copies the migrations before the one of that name into a folder. */
async function copyMigrationsBefore(name: string, folder: string): Promise<void> {
  await cp(MIGRATIONS, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] }
  const index = journal.entries.findIndex(({ tag }) => tag.endsWith(name))
  expect(index).toBeGreaterThan(0)
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, index) }))
}

/** Creates three accounts with a grant each, two budgets, and `count` runs of which every seventh still runs. */
async function fill(db: Db, count: number): Promise<string[]> {
  const accounts = Array.from({ length: 3 }, createId)
  const budgets = [createId(), createId()]
  for (const [nth, id] of accounts.entries()) {
    const amount = [10n ** 12n, 700n, 10n ** 15n + 7n][nth]!
    await db.execute(
      sql`INSERT INTO ledger_accounts (id, user_id, balance) VALUES (${id}, ${createId()}, ${amount})`,
    )
    await db.execute(sql`
      INSERT INTO ledger_entries (id, transfer_id, account_id, amount, kind)
      SELECT entry.id::uuid, ${createId()}::uuid, account_id::uuid, amount, 'signup'
      FROM (VALUES (${createId()}, ${id}, ${amount}::bigint), (${createId()}, ${GRANTS}, -(${amount}::bigint)))
        AS entry(id, account_id, amount)`)
  }
  await db.execute(sql`INSERT INTO ledger_budgets (id, kind, spend_limit) VALUES
    (${budgets[0]}, 'key', null), (${budgets[1]}, 'provision_key', ${10n ** 12n})`)
  const runs = Array.from({ length: count }, (_, nth) => ({
    run_id: createId(),
    account_id: accounts[nth % 3],
    amount: 20 + (nth % 11),
    least: 1,
    budgets: budgets.slice(0, nth % 3),
  }))
  const { rows: held } = await db.execute<{ run_id: string; short: string | null }>(
    sql`SELECT run_id, short FROM ledger_hold(${JSON.stringify(runs)}::json)`,
  )
  const runIds = held.filter(({ short }) => short === null).map(({ run_id }) => run_id)
  for (const [nth, runId] of runIds.entries()) {
    const { account_id } = runs.find((run) => run.run_id === runId)!
    await db.execute(sql`
      INSERT INTO runs (id, user_id, account_id, kind, subject_id, model, platform, state, input_tokens, prices, plan, host_id)
      VALUES (${runId}, ${createId()}, ${account_id}, 'gateway', ${createId()}, 'm', 'planned', 'running', ${nth},
        '{"input":"1"}', '{}', ${createId()})`)
  }
  const ended = runIds.filter((_, nth) => nth % 7 > 0)
  const endings = ended.map((runId, nth) => ({
    run_id: runId,
    computed: nth % 5 === 0 ? 0 : nth % 31 === 0 ? 900 : nth % 40,
    settled: nth % 5 > 0,
    transfer_id: createId(),
    debit_id: createId(),
    credit_id: createId(),
    income: INCOME,
    model: 'm',
    platform: 'answered',
    input_tokens: nth,
    output_tokens: nth + 1,
    cached_tokens: nth + 2,
    cache_write_tokens: nth + 3,
    reasoning_tokens: nth + 4,
    units: nth + 5,
    times: nth + 6,
    usage_source: nth % 2 ? 'upstream' : 'counted',
    flagged: nth % 4 ? null : 'too much',
    prices: { input: String(nth) },
    details: nth % 3 ? null : { tier: nth },
  }))
  await db.execute(sql`SELECT * FROM ledger_settle(${JSON.stringify(endings)}::json)`)
  await db.execute(sql`
    UPDATE runs SET state = 'done', ended_at = h.ended_at FROM ledger_holds h WHERE h.run_id = runs.id AND h.state <> 'held'`)
  await db.execute(sql`
    INSERT INTO run_attempts (run_id, nth, platform, state, code, reason, started_at, first_content_ms, ms, cost)
    SELECT b.run_id, nth, 'p' || nth, CASE nth WHEN 0 THEN 'failed' ELSE 'answered' END, NULL, 'r', '2026-01-02 03:04:05Z', 5, 6,
      CASE nth WHEN 0 THEN 0 ELSE b.amount END
    FROM ledger_bills b, generate_series(0, 1) nth`)
  return runIds
}

type Past = {
  /** Transfers by kind: to the account or, below zero, from it. */
  moves: Record<string, number>
  charged: number
  /** The account's gift coins after the migration. */
  gift: number
}
const PASTS: Past[] = [
  { moves: { signup: 50 }, charged: 30, gift: 20 },
  { moves: { signup: 50 }, charged: 0, gift: 50 },
  { moves: { signup: 50, recharge: 60 }, charged: 80, gift: 0 },
  { moves: { signup: 50, reward: 100, grant: 40 }, charged: 70, gift: 80 },
  { moves: { reward: 30, signup: 50 }, charged: 55, gift: 25 },
  { moves: { reward: 30, signup: 50 }, charged: 5, gift: 75 },
  // Coins that went into organizations count as spent gifts, and coins that came out of them are no gifts.
  { moves: { signup: 50, transfer: -50 }, charged: 0, gift: 0 },
  { moves: { signup: 50, grant: 100, transfer: -120 }, charged: 10, gift: 20 },
  { moves: { signup: 50, transfer: 1_400 }, charged: 10, gift: 40 },
  { moves: { signup: 50, grant: 5, forfeit: -45 }, charged: 10, gift: 0 },
]

/** Creates accounts with these pasts; returns their ids, and that of the organization that they moved coins to. */
async function fillWithPasts(db: Db): Promise<{ accounts: string[]; organization: string }> {
  const organization = createId()
  const accounts: string[] = []
  const insertAccount = (id: string, owner: 'user_id' | 'organization_id', balance: number) =>
    db.execute(sql`INSERT INTO ledger_accounts (id, ${sql.identifier(owner)}, balance)
      VALUES (${id}, ${createId()}, ${balance})`)
  const insertTransfer = (kind: string, from: string, to: string, amount: number) =>
    db.execute(sql`INSERT INTO ledger_transfers (id, debit_account_id, credit_account_id, amount, kind)
      VALUES (${createId()}, ${from}, ${to}, ${amount}, ${kind})`)
  for (const { moves, charged } of PASTS) {
    const id = createId()
    accounts.push(id)
    await insertAccount(id, 'user_id', sum(Object.values(moves)) - charged)
    for (const [kind, amount] of Object.entries(moves)) {
      const other = kind === 'transfer' ? organization : GRANTS
      await insertTransfer(kind, amount > 0 ? other : id, amount > 0 ? id : other, Math.abs(amount))
    }
    await db.execute(sql`
      INSERT INTO runs (id, user_id, account_id, kind, subject_id, model, platform, state, input_tokens, prices, plan, host_id,
        held, budgets, amount, computed, usage_source, ended_at)
      VALUES (${createId()}, ${createId()}, ${id}, 'gateway', ${createId()}, 'm', 'p', 'done', 0, '{"input":"1"}', '{}',
        ${createId()}, ${charged}, '{}', ${charged}, ${charged}, 'upstream', now())`)
  }
  const taken = sum(PASTS.map(({ moves }) => moves.transfer ?? 0))
  await insertAccount(organization, 'organization_id', 2_000 - taken)
  await insertTransfer('grant', GRANTS, organization, 2_000)
  return { accounts, organization }
}

const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0)

const readBalances = async (db: Db) => ({
  accounts: (await db.execute(sql`SELECT id, balance, held FROM ledger_accounts ORDER BY id`)).rows,
  budgets: (await db.execute(sql`SELECT id, spend_limit, used, held FROM ledger_budgets ORDER BY id`)).rows,
})

test('a database filled by versions before keeps every micro-coin, bill and attempt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wenqu-migration-'))
  const own = await createPostgresDatabase(process.env.DATABASE_URL)
  if (!own && process.env.EMPTY_TEMPLATE)
    await cp(process.env.EMPTY_TEMPLATE, join(folder, 'data'), { recursive: true })
  const database = await openDatabase({
    data_dir: join(folder, 'data'),
    database_url: own?.url ?? null,
    log: createLog('silent'),
  })
  const { db } = database
  try {
    await copyMigrationsBefore('_lean_ledger', join(folder, 'before'))
    await migrate(db, join(folder, 'before'))
    const runIds = await fill(db, 300)
    const balances = await readBalances(db)
    const bills = await db.execute(sql`
      SELECT run_id, amount, computed, platform, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
        reasoning_tokens, units, times, usage_source, flagged, prices, details, created_at
      FROM ledger_bills ORDER BY run_id`)
    const holds = await db.execute(sql`
      SELECT run_id, amount AS held, account_id, budgets, state = 'held' AS open FROM ledger_holds ORDER BY run_id`)
    const grants = await db.execute(sql`
      SELECT transfer_id AS id, account_id, amount, kind, created_at FROM ledger_entries
      WHERE amount > 0 AND kind <> 'charge' ORDER BY transfer_id`)
    expect(bills.rows.length).toBeGreaterThan(150)

    await copyMigrationsBefore('_gift_coins', join(folder, 'before_gifts'))
    await migrate(db, join(folder, 'before_gifts'))

    expect(await readBalances(db)).toEqual(balances)
    const newBills = await db.execute(sql`
      SELECT id AS run_id, amount, computed, platform, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
        reasoning_tokens, units, times, usage_source, flagged, prices, details, ended_at AS created_at
      FROM runs WHERE usage_source IS NOT NULL ORDER BY id`)
    expect(newBills.rows).toEqual(bills.rows)
    const newHolds = await db.execute(sql`
      SELECT id AS run_id, held, account_id, to_jsonb(budgets) AS budgets, ended_at IS NULL AS open FROM runs ORDER BY id`)
    expect(newHolds.rows).toEqual(holds.rows)
    const transfers = await db.execute(sql`
      SELECT id, credit_account_id AS account_id, amount, kind, created_at FROM ledger_transfers ORDER BY id`)
    expect(transfers.rows).toEqual(grants.rows)
    const attempts = await db.execute(sql`SELECT attempts FROM runs WHERE usage_source IS NOT NULL`)
    for (const row of attempts.rows) {
      const common = { code: null, reason: 'r', first_content_ms: 5, ms: 6 }
      const startedAt = expect.stringMatching(/^2026-01-02T03:04:05/) as string
      expect(row.attempts).toEqual([
        { ...common, started_at: startedAt, platform: 'p0', state: 'failed' },
        { ...common, started_at: startedAt, platform: 'p1', state: 'answered' },
      ])
    }

    // Given coins that were not spent are a gift afterwards, and all balances are as before.
    const { accounts, organization } = await fillWithPasts(db)
    const funds = await readBalances(db)
    await migrate(db)
    expect(await readBalances(db)).toEqual(funds)
    const { rows: gifts } = await db.execute<{ id: string; gift: number }>(
      sql`SELECT id, gift::int FROM ledger_accounts WHERE gift < 1000`,
    )
    const found = new Map(gifts.map(({ id, gift }) => [id, gift]))
    expect(accounts.map((id) => found.get(id))).toEqual(PASTS.map(({ gift }) => gift))
    expect(found.get(organization)).toBe(0)
    await expectLedgerInvariants(db)

    // Runs that were under way are settled as if nothing had happened.
    const tokens = { input: 0, output: 0, cached: 0, cache_write: 0, reasoning: 0 }
    const prices = { ...FREE_PRICES, per_call: 1n }
    const bill = { platform: 'p', tokens, usage_source: 'counted', flagged: null, prices } as const
    const charged = await settleAll(
      db,
      runIds.map((runId) => ({ run_id: runId, ...bill })),
    )
    const open = holds.rows.filter((hold) => hold.open)
    expect(charged.reduce((sum, one) => sum + one, 0n)).toBe(BigInt(open.length))
    const { rows } = await db.execute(sql`SELECT sum(held)::int AS held FROM ledger_accounts`)
    expect(rows[0]).toEqual({ held: 0 })
    await expectLedgerInvariants(db)
  } finally {
    await database.close()
    await own?.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
