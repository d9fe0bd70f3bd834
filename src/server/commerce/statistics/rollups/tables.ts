import { bigint, date, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'

const count = () => bigint({ mode: 'number' }).notNull()

/** Sums of charges by day in China and by everything that transactions can be filtered by (`rollUpCharges`). */
export const chargeRollups = pgTable(
  'charge_rollups',
  {
    account_id: uuid().notNull(),
    day: date().notNull(),
    kind: text().notNull(),
    model: text().notNull(),
    platform: text().notNull(),
    channel: text().notNull(),
    budgets: uuid().array().notNull(),
    requests: count(),
    /** Micro-coins. */
    amount: bigint({ mode: 'bigint' }).notNull(),
    input_tokens: count(),
    output_tokens: count(),
  },
  (t) => [
    unique('charge_rollups_sums').on(t.account_id, t.day, t.kind, t.model, t.platform, t.channel, t.budgets),
  ],
)

/** The watermark of an account: its sums have all runs that started before `until`, and no others. */
export const chargeWatermarks = pgTable('charge_watermarks', {
  account_id: uuid().primaryKey(),
  until: timestamp({ withTimezone: true }).notNull(),
})
