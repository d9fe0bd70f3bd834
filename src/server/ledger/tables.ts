import { sql } from 'drizzle-orm'
import type { StoredPrices } from '#server/core/prices.ts'
import type { BillDetails } from './prices.ts'
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const now = () => timestamp({ withTimezone: true }).notNull().defaultNow()
/** Micro-coins, see core/coins.ts. */
const micro = () => bigint({ mode: 'bigint' }).notNull()
/**
 * One account a user and an organization, and the operator's named accounts (`income`, `grants`) on the other side of every charge and
 * transfer. The `balance` of an operator's account stays 0: it is the sum of those, and updating one row for every charge would
 * queue them.
 */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: uuid().primaryKey(),
    user_id: uuid().unique(),
    house: text().unique(),
    organization_id: uuid().unique(),
    balance: micro().default(sql`0`),
    held: micro().default(sql`0`),
    /** How much of the balance was given: spent before the rest, and by this user alone. */
    gift: micro().default(sql`0`),
    created_at: now(),
  },
  (t) => [
    check('ledger_accounts_owner', sql`num_nonnulls(${t.user_id}, ${t.house}, ${t.organization_id}) = 1`),
    check('ledger_accounts_funds', sql`${t.balance} >= 0 AND ${t.held} >= 0 AND ${t.held} <= ${t.balance}`),
    check(
      'ledger_accounts_gift',
      sql`${t.gift} >= 0 AND ${t.gift} <= ${t.balance} AND (${t.gift} = 0 OR ${t.user_id} IS NOT NULL)`,
    ),
  ],
)

/**
 * What a key, a member of an organization or the widget of an agent on one day may spend, beside the balance that pays. `used`
 * and `held` only grow by what is really charged and held, so lowering `spend_limit` takes effect on the very next hold.
 */
export const ledgerBudgets = pgTable(
  'ledger_budgets',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['key', 'provision_key', 'member', 'widget'] }).notNull(),
    /** Null: no limit. */
    spend_limit: bigint({ mode: 'bigint' }),
    used: micro().default(sql`0`),
    held: micro().default(sql`0`),
  },
  (t) => [check('ledger_budgets_sound', sql`${t.used} >= 0 AND ${t.held} >= 0`)],
)

/** Why coins move, other than for a run. */
export const transferKinds = [
  'signup',
  'grant',
  'recharge',
  'refund',
  'reward',
  'transfer',
  'forfeit',
] as const

/** Kinds of transfers whose coins are gift coins. */
export const giftKinds: readonly string[] = ['signup', 'reward']

/** Coins that moved from one account to another, other than for a run: what a run costs is on the run. Append-only. */
export const ledgerTransfers = pgTable(
  'ledger_transfers',
  {
    id: uuid().primaryKey(),
    debit_account_id: uuid().notNull(),
    credit_account_id: uuid().notNull(),
    amount: micro(),
    kind: text({ enum: transferKinds }).notNull(),
    /** How much of the amount is gift coins; of what was given before they were kept apart, what was unspent then. */
    gift: micro().default(sql`0`),
    created_at: now(),
  },
  (t) => [
    index('ledger_transfers_debit').on(t.debit_account_id, t.id),
    index('ledger_transfers_credit').on(t.credit_account_id, t.id),
    check(
      'ledger_transfers_amount',
      sql`${t.amount} > 0 AND ${t.debit_account_id} <> ${t.credit_account_id}`,
    ),
    // Gift coins come in by being given and go by being forfeited: no transfer between accounts of people has any.
    check(
      'ledger_transfers_gift',
      sql`${t.gift} >= 0 AND ${t.gift} <= ${t.amount} AND (${t.gift} = 0 OR ${t.kind} IN ('signup', 'reward', 'forfeit'))`,
    ),
  ],
)

/** What the house gives in a day, in answers that it pays for and in first coins of accounts, micro-coins: by the day in China. */
export const ledgerGiven = pgTable('ledger_given', {
  day: text().primaryKey(),
  amount: micro(),
})

/** What is held for a run, as columns of it: the most that it may cost, until it has ended. */
export const holdColumns = () => ({
  /** Who pays. */
  account_id: uuid().notNull(),
  held: micro(),
  budgets: uuid().array().notNull(),
})

/** What a run is billed, as columns of it: written once, when it ends, with the prices it was made from. */
export const billColumns = () => ({
  /** Micro-coins charged, and what the usage alone would have cost when that is more. */
  amount: micro().default(sql`0`),
  computed: micro().default(sql`0`),
  /** How much of the amount was paid by gift coins. */
  gift: micro().default(sql`0`),
  /** Who counted the usage. Null: nothing is billed. */
  usage_source: text({ enum: ['upstream', 'counted'] }),
  /** Of the prompt as counted before the start, which is charged when the upstream reports none; then as billed. */
  input_tokens: integer().notNull(),
  output_tokens: integer().notNull().default(0),
  cached_tokens: integer().notNull().default(0),
  cache_write_tokens: integer().notNull().default(0),
  reasoning_tokens: integer().notNull().default(0),
  /** Characters or milliseconds of an operation that is priced by them, and how often `per_call` was paid: pictures. */
  units: integer().notNull().default(0),
  times: integer().notNull().default(1),
  /** The upstream reported usage that cannot be true. */
  flagged: text(),
  /** Micro-coins per million tokens, as strings (core/prices.ts). */
  prices: jsonb().$type<StoredPrices>().notNull(),
  /** The tier, and what is counted beside the columns; null for most. */
  details: jsonb().$type<BillDetails>(),
})
