import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const now = () => timestamp({ withTimezone: true }).notNull().defaultNow()
/** Micro-coins, see core/coins.ts. */
const micro = () => bigint({ mode: 'bigint' }).notNull()
/**
 * One account for each user and organization, and the operator's named accounts (`income`, `grants`) on the other side of every
 * charge and transfer. The `balance` of an operator's account stays 0: it follows from the charges and transfers, and updating
 * one row for each of them would queue them.
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
    /** Gift coins within the balance: spent before the rest, and by this user alone. */
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
 * Limits of spending for a key, a member of an organization or an agent's widget on one day, besides the balance that pays.
 * `used` and `held` grow only by real charges and holds, so that a lower `spend_limit` takes effect on the very next hold.
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

/** Reasons for moving coins, other than runs. */
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

/** Coins moved from one account to another, except for runs: a run's row has its charge. Append-only. */
export const ledgerTransfers = pgTable(
  'ledger_transfers',
  {
    id: uuid().primaryKey(),
    debit_account_id: uuid().notNull(),
    credit_account_id: uuid().notNull(),
    amount: micro(),
    kind: text({ enum: transferKinds }).notNull(),
    /** Gift coins within the amount; for gifts older than this column, the coins unspent when it was added. */
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
    // Gift coins appear when given and vanish when forfeited: no transfer between people moves them.
    check(
      'ledger_transfers_gift',
      sql`${t.gift} >= 0 AND ${t.gift} <= ${t.amount} AND (${t.gift} = 0 OR ${t.kind} IN ('signup', 'reward', 'forfeit'))`,
    ),
  ],
)

/** The operator's gifts of a day in China, micro-coins: answers that it pays for and first coins of accounts. */
export const ledgerGiven = pgTable('ledger_given', {
  day: text().primaryKey(),
  amount: micro(),
})
