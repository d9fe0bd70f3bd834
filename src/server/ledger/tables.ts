import { sql } from 'drizzle-orm'
import type { StoredPrices } from '#server/core/prices.ts'
import type { BillDetails } from './prices.ts'
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const now = () => timestamp({ withTimezone: true }).notNull().defaultNow()
/** Micro-coins, see core/coins.ts. */
const micro = () => bigint({ mode: 'bigint' }).notNull()
const accountId = () =>
  uuid()
    .notNull()
    .references(() => ledgerAccounts.id)

/**
 * One account a user, and the operator's named accounts (`income`, `grants`) on the other side of every entry. The
 * `balance` of an operator's account stays 0: it is the sum of its entries, and updating one row for every charge would queue them.
 */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: uuid().primaryKey(),
    user_id: uuid().unique(),
    house: text().unique(),
    balance: micro().default(sql`0`),
    held: micro().default(sql`0`),
    created_at: now(),
  },
  (t) => [
    check('ledger_accounts_owner', sql`(${t.user_id} IS NULL) <> (${t.house} IS NULL)`),
    check('ledger_accounts_funds', sql`${t.balance} >= 0 AND ${t.held} >= 0 AND ${t.held} <= ${t.balance}`),
  ],
)

/**
 * What a key, an organization or the widget of an agent on one day may spend, beside the balance that pays. `used` and `held` only grow by what is really
 * charged and held, so lowering `spend_limit` takes effect on the very next hold.
 */
export const ledgerBudgets = pgTable(
  'ledger_budgets',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['key', 'provision_key', 'organization', 'widget'] }).notNull(),
    /** Null: no limit. */
    spend_limit: bigint({ mode: 'bigint' }),
    used: micro().default(sql`0`),
    held: micro().default(sql`0`),
  },
  (t) => [check('ledger_budgets_sound', sql`${t.used} >= 0 AND ${t.held} >= 0`)],
)

/** What a running run may cost at most. A hold ends exactly once: settled, or void (nothing charged). */
export const ledgerHolds = pgTable(
  'ledger_holds',
  {
    run_id: uuid().primaryKey(),
    account_id: accountId(),
    amount: micro(),
    budgets: jsonb().$type<string[]>().notNull(),
    state: text({ enum: ['held', 'settled', 'void'] }).notNull(),
    created_at: now(),
    ended_at: timestamp({ withTimezone: true }),
  },
  (t) => [check('ledger_holds_amount', sql`${t.amount} >= 0`)],
)

/** Why coins move. */
export const entryKinds = ['signup', 'grant', 'charge', 'recharge', 'refund', 'reward', 'transfer'] as const

/** Append-only. Two rows of one `transfer_id` sum to 0. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: uuid().primaryKey(),
    transfer_id: uuid().notNull(),
    account_id: accountId(),
    amount: micro(),
    kind: text({ enum: entryKinds }).notNull(),
    /** The run that was charged for. */
    run_id: uuid(),
    created_at: now(),
  },
  (t) => [index('ledger_entries_account').on(t.account_id, t.id)],
)

/** The bill line of a run, with the prices it was made from, so that it can be recomputed. */
export const ledgerBills = pgTable(
  'ledger_bills',
  {
    run_id: uuid().primaryKey(),
    account_id: accountId(),
    /** Micro-coins charged, and what the usage alone would have cost when that is more. */
    amount: micro(),
    computed: micro(),
    model: text().notNull(),
    platform: text().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cached_tokens: integer().notNull(),
    cache_write_tokens: integer().notNull(),
    reasoning_tokens: integer().notNull(),
    /** Characters or milliseconds of an operation that is priced by them, and how often `per_call` was paid: pictures. */
    units: integer().notNull().default(0),
    times: integer().notNull().default(1),
    usage_source: text({ enum: ['upstream', 'counted'] }).notNull(),
    /** The upstream reported usage that cannot be true. */
    flagged: text(),
    /** Micro-coins per million tokens, as strings (core/prices.ts). */
    prices: jsonb().$type<StoredPrices>().notNull(),
    /** The tier, and what is counted beside the columns; null for most. */
    details: jsonb().$type<BillDetails>(),
    created_at: now(),
  },
  (t) => [index('ledger_bills_account').on(t.account_id, t.created_at)],
)
