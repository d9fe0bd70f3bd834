import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { orderStatuses, payTypes } from '#contract/credit/credit.ts'
import type { CreditPlan } from '#contract/credit/credit.ts'
import { users } from '#server/accounts/users/tables.ts'

const moment = () => timestamp({ withTimezone: true })

/**
 * Orders and their outcome. The coins of a paid order are the ledger transfer with the order's id, those of a refund the one with
 * its `refund_id`, so neither can exist twice.
 */
export const creditOrders = pgTable(
  'credit_orders',
  {
    id: uuid().primaryKey(),
    /** Not a foreign key: payments stay in the books after the account is deleted. */
    user_id: uuid().notNull(),
    /** The plan at the time of the order. */
    plan: jsonb().$type<CreditPlan>().notNull(),
    /** Hundredths of a yuan. */
    price: integer().notNull(),
    pay_type: text({ enum: payTypes }).notNull(),
    provider: text({ enum: ['sandbox', 'wechat', 'alipay'] }).notNull(),
    code_url: text(),
    status: text({ enum: orderStatuses }).notNull().default('pending'),
    /** The provider's number of the payment. */
    trade_no: text(),
    refund_id: uuid(),
    created_at: moment().notNull().defaultNow(),
    expires_at: moment().notNull(),
    /** When the provider was last queried. */
    queried_at: moment(),
    paid_at: moment(),
    refunded_at: moment(),
  },
  (t) => [
    index('credit_orders_user').on(t.user_id, t.created_at),
    index('credit_orders_pending')
      .on(t.created_at)
      .where(sql`${t.status} = 'pending'`),
    check('credit_orders_price', sql`${t.price} > 0`),
    check(
      'credit_orders_paid',
      sql`(${t.paid_at} IS NULL) = (${t.status} IN ('pending', 'expired', 'cancelled'))`,
    ),
  ],
)

/** The sandbox's own records of payments, as a real platform keeps them. */
export const sandboxPayments = pgTable('credit_sandbox_payments', {
  order_id: uuid().primaryKey(),
  state: text({ enum: ['unpaid', 'paid', 'closed', 'refunded'] }).notNull(),
  trade_no: text().notNull(),
  /** Hundredths of the currency. */
  amount: bigint({ mode: 'number' }).notNull(),
  currency: text().notNull(),
})

/** People's settings for low-balance notifications. */
export const notifySettings = pgTable('credit_notify_settings', {
  user_id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  enabled: boolean().notNull(),
  /** Micro-coins. */
  threshold: bigint({ mode: 'bigint' }).notNull(),
  /** The balance was low at the last check, so that the user is told once of each fall. */
  is_low: boolean().notNull(),
})
