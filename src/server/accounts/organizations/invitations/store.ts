import { and, eq, notInArray, sql } from 'drizzle-orm'
import { INVITATION_DAYS } from '#contract/organizations/limits.ts'
import type { OrganizationInvitation, ReceivedInvitation } from '#contract/organizations/organizations.ts'
import { momentSql } from '#server/core/database/moment-sql.ts'
import type { Db } from '#server/core/database/database.ts'
import { invitationRefusals, organizationInvitations } from '../tables.ts'

/** Selects the invitations of an organization, or those that one member sent. */
export type InvitationOwner = { organization_id: string; invited_by?: string }

const isOwned = ({ organization_id, invited_by }: InvitationOwner) =>
  and(
    eq(organizationInvitations.organization_id, organization_id),
    invited_by === undefined ? undefined : eq(organizationInvitations.invited_by, invited_by),
  )

/** Invites an address, and deletes its earlier invitation among `replaced`. */
export async function replaceInvitation(
  tx: Db,
  replaced: InvitationOwner,
  invitation: { id: string; organization_id: string; invited_by: string; email: string; token_hash: string },
): Promise<void> {
  await tx
    .delete(organizationInvitations)
    .where(and(isOwned(replaced), eq(organizationInvitations.email, invitation.email)))
  const expiresAt = sql`now() + make_interval(days => ${INVITATION_DAYS})`
  await tx.insert(organizationInvitations).values({ ...invitation, expires_at: expiresAt })
}

const isOpen = sql`${organizationInvitations.expires_at} > now()`

/** Counts an organization's open invitations, without those to the given addresses. */
export async function countOpenInvitations(
  db: Db,
  organizationId: string,
  emails: string[],
): Promise<number> {
  const { organization_id: of, email } = organizationInvitations
  return db.$count(organizationInvitations, and(eq(of, organizationId), notInArray(email, emails), isOpen))
}

/** Lists open invitations, the latest first. */
export async function listInvitations(db: Db, owner: InvitationOwner): Promise<OrganizationInvitation[]> {
  const { rows } = await db.execute<OrganizationInvitation>(sql`
    SELECT id, email, ${momentSql(sql`created_at`)} AS created_at, ${momentSql(sql`expires_at`)} AS expires_at
    FROM organization_invitations WHERE ${isOwned(owner)} AND ${isOpen} ORDER BY id DESC`)
  return rows
}

/** Withdraws an invitation; returns false if there is none. */
export async function deleteInvitation(db: Db, owner: InvitationOwner, id: string): Promise<boolean> {
  const { id: is } = organizationInvitations
  const rows = await db
    .delete(organizationInvitations)
    .where(and(isOwned(owner), eq(is, id)))
    .returning({ id: is })
  return rows.length > 0
}

/** Withdraws the invitations that a member sent. */
export async function deleteInvitationsBy(tx: Db, owner: Required<InvitationOwner>): Promise<void> {
  await tx.delete(organizationInvitations).where(isOwned(owner))
}

/** Finds an open invitation by its token, whose owner may see it. */
export async function findInvitation(
  db: Db,
  tokenHash: string,
): Promise<(ReceivedInvitation & { organization_id: string }) | undefined> {
  const { rows } = await db.execute<ReceivedInvitation & { organization_id: string }>(sql`
    SELECT o.id AS organization_id, o.name, o.logo, u.name AS inviter, ${momentSql(sql`i.expires_at`)} AS expires_at
    FROM organization_invitations i JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = i.invited_by
    WHERE i.token_hash = ${tokenHash} AND i.expires_at > now()`)
  return rows[0]
}

/** Consumes an open invitation; returns its organization and inviter. */
export async function takeInvitation(
  tx: Db,
  tokenHash: string,
): Promise<{ organization_id: string; invited_by: string } | undefined> {
  const { organization_id, invited_by } = organizationInvitations
  const rows = await tx
    .delete(organizationInvitations)
    .where(and(eq(organizationInvitations.token_hash, tokenHash), isOpen))
    .returning({ organization_id, invited_by })
  return rows[0]
}

export async function deleteExpiredInvitations(db: Db): Promise<void> {
  await db.execute(sql`DELETE FROM organization_invitations WHERE expires_at < now()`)
}

/** Tells whether a mailbox refuses invitations. */
export async function isRefused(db: Db, mailboxHash: string): Promise<boolean> {
  return (await db.$count(invitationRefusals, eq(invitationRefusals.mailbox_hash, mailboxHash))) > 0
}

export async function insertRefusal(db: Db, mailboxHash: string): Promise<void> {
  await db.insert(invitationRefusals).values({ mailbox_hash: mailboxHash }).onConflictDoNothing()
}

export async function deleteRefusal(db: Db, mailboxHash: string): Promise<void> {
  await db.delete(invitationRefusals).where(eq(invitationRefusals.mailbox_hash, mailboxHash))
}
