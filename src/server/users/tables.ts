import { boolean, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { levels, providerSorts } from '#contract/users.ts'
import type { ChatSetting } from '#contract/users.ts'

/** A level that was bought, until a moment (ISO 8601). */
export type Membership = { level: (typeof levels)[number]; ends_at: string }

const noChatSetting: ChatSetting = { enabled: false, self_intro: '', reply_style: '' }

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    /** An identity without an account; becomes nobody's once its conversations moved to an account. */
    guest: boolean().notNull(),
    email: text().unique(),
    /** A mobile number, eleven digits. */
    phone: text().unique(),
    /** The person's id at WeChat: `unionid`, where there is none `openid`. */
    wechat: text().unique(),
    name: text().notNull(),
    avatar: text().notNull().default(''),
    /** What the operator gave; a membership that is as high counts before it. */
    level: text({ enum: levels }).notNull().default('pro-0'),
    /** One after the other, the one that ends first at the beginning; made from the paid orders. */
    memberships: jsonb().$type<Membership[]>().notNull().default([]),
    /** Model the person chose last; null: the product's default. */
    model: text(),
    provider_sort: text({ enum: providerSorts }).notNull().default('default'),
    voice_reply: boolean().notNull().default(false),
    chat_setting: jsonb().$type<ChatSetting>().notNull().default(noChatSetting),
    invite_code: text().notNull().unique(),
    /** Whose invitation the person followed before signing up. */
    invited_by: uuid().references((): AnyPgColumn => users.id, { onDelete: 'set null' }),
    /** Whoever invited the person got their reward. */
    invite_rewarded: boolean().notNull().default(false),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('users_invited_by').on(t.invited_by)],
)

/** Addresses, numbers and WeChat ids that first coins were given to, whoever has them now. Keyed hashes: they tell nobody whose they are. */
export const signupGifts = pgTable('signup_gifts', {
  identity_hash: text().primaryKey(),
  given_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
