import { boolean, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { roles } from '#contract/users.ts'
import { users } from '#server/users/tables.ts'

const at = () => timestamp({ withTimezone: true })

/** Accounts that pay together. Each has an account of the ledger. */
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
 * Who belongs to an organization: a user to one at most. Each has a budget of the ledger under the row's own id, which stays
 * when the row goes.
 */
export const organizationMembers = pgTable(
  'organization_members',
  {
    id: uuid().primaryKey(),
    organization_id: ofOrganization(),
    user_id: ofUser().unique(),
    role: text({ enum: roles }).notNull(),
    /** Null of who created the organization, or came before this was kept, or whose inviter is gone. */
    invited_by: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** Whether the organization pays for what the member asks. */
    pays: boolean().notNull().default(false),
    joined_at: at().notNull().defaultNow(),
  },
  (t) => [index('organization_members_organization').on(t.organization_id, t.id)],
)

/** Invitations that are open: one that was accepted or withdrawn is gone. */
export const organizationInvitations = pgTable(
  'organization_invitations',
  {
    id: uuid().primaryKey(),
    organization_id: ofOrganization(),
    invited_by: ofUser(),
    email: text().notNull(),
    /** The link's token is kept nowhere else than in the mail. */
    token_hash: text().notNull().unique(),
    created_at: at().notNull().defaultNow(),
    expires_at: at().notNull(),
  },
  (t) => [index('organization_invitations_organization').on(t.organization_id, t.id)],
)

/** Mailboxes to which no invitation is sent any more, whoever invites. */
export const invitationRefusals = pgTable('invitation_refusals', {
  /** Keyed: the table tells nobody whose they are. */
  mailbox_hash: text().primaryKey(),
  refused_at: at().notNull().defaultNow(),
})
