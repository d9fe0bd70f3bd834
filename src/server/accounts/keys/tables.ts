import { boolean, bigint, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { keyGroups } from '#contract/key-groups.ts'
import type { KeyGroup } from '#contract/key-groups.ts'
import { providerSorts } from '#contract/users.ts'
import { users } from '#server/accounts/users/tables.ts'

const groups = keyGroups.map(({ name }) => name) as [KeyGroup, ...KeyGroup[]]
const at = () => timestamp({ withTimezone: true })
const owner = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Columns of both kinds of keys. A deleted key keeps its row, so that bills can still name it. */
const key = () => ({
  id: uuid().primaryKey(),
  user_id: owner(),
  name: text().notNull(),
  /** Hash of the key (authenticate.ts); the key itself is stored nowhere. */
  token_hash: text().notNull().unique(),
  /** Masked, for showing. */
  value: text().notNull(),
  status: boolean().notNull().default(true),
  last_used_at: at(),
  created_at: at().notNull().defaultNow(),
  deleted_at: at(),
})

/** Keys by which programs manage API keys, with the caps on those. */
export const provisionKeys = pgTable(
  'provision_keys',
  {
    ...key(),
    /** Micro-coins; null: no cap. */
    max_credit_limit: bigint({ mode: 'bigint' }),
    max_days: integer(),
    allowed_groups: jsonb().$type<KeyGroup[]>(),
    allowed_models: jsonb().$type<string[]>(),
    max_keys: integer(),
  },
  (t) => [index('provision_keys_owner').on(t.user_id, t.id)],
)

/** Keys that call models. Each has a budget of the ledger under its own id, with its limit and its use. */
export const apiKeys = pgTable(
  'api_keys',
  {
    ...key(),
    provision_key_id: uuid().references(() => provisionKeys.id),
    /** The key's group. */
    strategy: text({ enum: groups }).notNull(),
    provider_sort: text({ enum: providerSorts }).notNull(),
    auto_switch: boolean().notNull(),
    expired_at: at(),
    allowed_models: jsonb().$type<string[]>(),
    allowed_addresses: jsonb().$type<string[]>(),
    requests_per_minute: integer(),
    tokens_per_minute: integer(),
  },
  (t) => [
    index('api_keys_owner').on(t.user_id, t.id),
    index('api_keys_provision_key').on(t.provision_key_id),
  ],
)

/** Log of the actions on keys; rows are only ever added. */
export const keyAudit = pgTable(
  'key_audit',
  {
    id: uuid().primaryKey(),
    user_id: owner(),
    /** `system` made the account's first key. */
    actor: text({ enum: ['user', 'provision_key', 'system'] }).notNull(),
    act: text({ enum: ['create', 'update', 'enable', 'disable', 'rotate', 'delete'] }).notNull(),
    /** Null: the act was on the provision key itself. */
    api_key_id: uuid(),
    /** The provision key that acted, or that was acted on. */
    provision_key_id: uuid(),
    /** The settings that the request asked for; never a key. */
    changes: jsonb().$type<object>(),
    created_at: at().notNull().defaultNow(),
  },
  (t) => [index('key_audit_owner').on(t.user_id, t.id)],
)
