import { boolean, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { levels, providerSorts } from '#contract/users.ts'
import type { ChatSetting } from '#contract/users.ts'

/** A bought level, until a moment (ISO 8601). */
export type Membership = { level: (typeof levels)[number]; ends_at: string }

const noChatSetting: ChatSetting = { enabled: false, self_intro: '', reply_style: '' }

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    /** A visitor without an account. Signing in moves the conversations to the account, and the row becomes unused. */
    guest: boolean().notNull(),
    email: text().unique(),
    /** A mobile number, eleven digits. */
    phone: text().unique(),
    /** The person's `unionid` at WeChat, or the `openid` if there is none. */
    wechat: text().unique(),
    name: text().notNull(),
    avatar: text().notNull().default(''),
    /** The operator's gift; a membership of the same or a higher rank takes precedence. */
    level: text({ enum: levels }).notNull().default('pro-0'),
    /** Consecutive memberships, the one that ends first at the beginning; computed from the paid orders. */
    memberships: jsonb().$type<Membership[]>().notNull().default([]),
    /** The model that the person chose last; null: the product's default. */
    model: text(),
    provider_sort: text({ enum: providerSorts }).notNull().default('default'),
    voice_reply: boolean().notNull().default(false),
    chat_setting: jsonb().$type<ChatSetting>().notNull().default(noChatSetting),
    invite_code: text().notNull().unique(),
    /** The user whose invitation the person followed before signing up. */
    invited_by: uuid().references((): AnyPgColumn => users.id, { onDelete: 'set null' }),
    /** The inviter got the reward. */
    invite_rewarded: boolean().notNull().default(false),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('users_invited_by').on(t.invited_by)],
)

/** Addresses, numbers and WeChat ids that have had first coins, whoever owns them. Keyed hashes, so that they reveal nobody. */
export const signupGifts = pgTable('signup_gifts', {
  identity_hash: text().primaryKey(),
  given_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
