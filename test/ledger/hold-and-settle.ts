import { sql } from 'drizzle-orm'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Prices } from '#server/core/prices.ts'
import { createAccount, creditAccount, FREE_PRICES, toHoldDecision } from '#server/ledger/ledger.ts'
import type { HoldDecision, HoldRequest } from '#server/ledger/ledger.ts'
import type { Settlement } from '#server/runs/bill.ts'
import { insertHeldRuns, settleRuns } from '#server/runs/store.ts'

// Steps of the ledger without the execution of their runs.

/** One micro-coin a token, for input and output. */
export const UNIT_PRICES: Prices = {
  ...FREE_PRICES,
  input: 1_000_000n,
  output: 1_000_000n,
  cached_input: 1_000_000n,
  reasoning: 1_000_000n,
}
/** Creates a bill of this many tokens of output, at a micro-coin each. */
export const createBill = (runId: string, output: number) =>
  ({
    run_id: runId,
    platform: 'p',
    tokens: { input: 0, output, cached: 0, cache_write: 0, reasoning: 0 },
    usage_source: 'upstream',
    flagged: null,
    prices: UNIT_PRICES,
  }) as const

/** Creates a user with this many micro-coins, some of them gift coins. */
export async function createFundedUser(db: Db, amount: bigint, gift = 0n): Promise<string> {
  const userId = createId()
  await db.transaction(async (tx) => {
    await createAccount(tx, userId, gift)
    if (amount > gift) await creditAccount(tx, { user_id: userId, amount: amount - gift, kind: 'grant' })
  })
  return userId
}

export async function findAccountId(db: Db, userId: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM ledger_accounts WHERE user_id = ${userId}`,
  )
  return rows[0]!.id
}

/** A host for runs that nobody executes: a process that never falls silent. */
const HOST_ID = createId()
const PLAN = { strategy: '', provider_sort: '', candidates: [] }

/** Reserves micro-coins for runs of nobody; returns the outcome of each hold, in order. */
export async function holdAll(
  db: Db,
  requests: (HoldRequest & { model?: string })[],
): Promise<HoldDecision[]> {
  await db.execute(
    sql`INSERT INTO run_hosts (id, seen_at) VALUES (${HOST_ID}, 'infinity') ON CONFLICT DO NOTHING`,
  )
  const runs = requests.map(({ model = 'm', ...hold }) => ({
    row: {
      id: hold.id,
      user_id: hold.id,
      account_id: hold.account_id,
      kind: 'gateway',
      subject_id: hold.id,
      model,
      platform: 'p',
      input_tokens: 0,
      prices: FREE_PRICES,
    },
    plan: PLAN,
    hold,
  }))
  const rows = await insertHeldRuns(db, { runs, host_id: HOST_ID })
  const decisions = new Map(rows.map((row) => [row.id, toHoldDecision(row)]))
  return requests.map(({ id }) => decisions.get(id)!)
}

/** Ends holds; returns the micro-coins charged for each, in order. */
export async function settleAll(db: Db, endings: Settlement[]): Promise<bigint[]> {
  const charged = await settleRuns(
    db,
    endings.map((settlement) => ({
      settlement,
      result: { state: 'done', code: null, attempts: [] },
      first_text_at: null,
    })),
  )
  return endings.map(({ run_id }) => charged.get(run_id) ?? 0n)
}

/** Returns the micro-coins of a run that gift coins paid; undefined for a refused run. */
export async function findPaidByGift(db: Db, runId: string): Promise<bigint | undefined> {
  const { rows } = await db.execute<{ gift: string }>(sql`SELECT gift::text FROM runs WHERE id = ${runId}`)
  return rows[0] && BigInt(rows[0].gift)
}
