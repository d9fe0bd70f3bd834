import { boolean, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { roles } from '#contract/users.ts'
import { users } from '#server/accounts/users/tables.ts'

const at = () => timestamp({ withTimezone: true })

/** Accounts that pay together. Each has an account in the ledger. */
export const organizations = pgTable('organizations', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  logo: text().notNull().default(''),
  /** Plain members may invite too, and remove whom they invited. */
  members_can_invite: boolean().notNull().default(true),
  created_at: at().notNull().defaultNow(),
})

const ofOrganization = () =>
  uuid()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })
const ofUser = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * Members of organizations; a user is in one at most. Each has a budget in the ledger under the row's id, which stays when the
 * row is deleted.
 */
export const organizationMembers = pgTable(
  'organization_members',
  {
    id: uuid().primaryKey(),
    organization_id: ofOrganization(),
    user_id: ofUser().unique(),
    role: text({ enum: roles }).notNull(),
    /** Null for the creator, if unknown, and if the inviter is gone. */
    invited_by: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** The organization pays for the member's requests. */
    pays: boolean().notNull().default(false),
    joined_at: at().notNull().defaultNow(),
  },
  (t) => [index('organization_members_organization').on(t.organization_id, t.id)],
)

/** Open invitations: accepted and withdrawn ones are deleted. */
export const organizationInvitations = pgTable(
  'organization_invitations',
  {
    id: uuid().primaryKey(),
    organization_id: ofOrganization(),
    invited_by: ofUser(),
    email: text().notNull(),
    /** The link's token itself is only in the mail. */
    token_hash: text().notNull().unique(),
    created_at: at().notNull().defaultNow(),
    expires_at: at().notNull(),
  },
  (t) => [index('organization_invitations_organization').on(t.organization_id, t.id)],
)

/** Mailboxes that receive no invitations, whoever invites. */
export const invitationRefusals = pgTable('invitation_refusals', {
  /** A keyed hash, so that the table reveals no address. */
  mailbox_hash: text().primaryKey(),
  refused_at: at().notNull().defaultNow(),
})
