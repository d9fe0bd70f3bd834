import { and, eq, inArray, sql } from 'drizzle-orm'
import { INVITATION_DAYS } from '#contract/organizations/limits.ts'
import type { OrganizationInvitation, ReceivedInvitation } from '#contract/organizations/organizations.ts'
import type { Db } from '#server/core/database/database.ts'
import { organizationInvitations } from '../tables.ts'

type Invitation = { id: string; email: string; token_hash: string }

/** Invites addresses; an invitation that an address has already ends. */
export async function replaceInvitations(
  tx: Db,
  { organization_id, invited_by }: { organization_id: string; invited_by: string },
  invitations: Invitation[],
): Promise<void> {
  const { organization_id: of, email } = organizationInvitations
  const emails = invitations.map((invitation) => invitation.email)
  await tx.delete(organizationInvitations).where(and(eq(of, organization_id), inArray(email, emails)))
  const expires_at = sql`now() + make_interval(days => ${INVITATION_DAYS})`
  await tx
    .insert(organizationInvitations)
    .values(invitations.map((invitation) => ({ ...invitation, organization_id, invited_by, expires_at })))
}

const isOpen = sql`${organizationInvitations.expires_at} > now()`

/** How many invitations of an organization are open. */
export async function countOpenInvitations(db: Db, organization_id: string): Promise<number> {
  const { organization_id: of } = organizationInvitations
  return db.$count(organizationInvitations, and(eq(of, organization_id), isOpen))
}

/** The open invitations of an organization, the latest first. */
export async function listInvitations(db: Db, organization_id: string): Promise<OrganizationInvitation[]> {
  const { rows } = await db.execute<OrganizationInvitation>(sql`
    SELECT id, email, to_json(created_at) #>> '{}' AS created_at, to_json(expires_at) #>> '{}' AS expires_at
    FROM organization_invitations WHERE organization_id = ${organization_id} AND expires_at > now() ORDER BY id DESC`)
  return rows
}

/** Withdraws invitations of an organization; how many there were. */
export async function deleteInvitations(db: Db, organization_id: string, ids: string[]): Promise<number> {
  const { organization_id: of, id } = organizationInvitations
  const rows = await db
    .delete(organizationInvitations)
    .where(and(eq(of, organization_id), inArray(id, ids)))
    .returning({ id })
  return rows.length
}

/** What the token of an open invitation is for; whoever has the token may know. */
export async function findInvitation(
  db: Db,
  token_hash: string,
): Promise<(ReceivedInvitation & { organization_id: string }) | undefined> {
  const { rows } = await db.execute<ReceivedInvitation & { organization_id: string }>(sql`
    SELECT o.id AS organization_id, o.name, o.logo, u.name AS inviter, to_json(i.expires_at) #>> '{}' AS expires_at
    FROM organization_invitations i JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = i.invited_by
    WHERE i.token_hash = ${token_hash} AND i.expires_at > now()`)
  return rows[0]
}

/** Uses an open invitation up; the organization that it was of, and who invited. */
export async function takeInvitation(
  tx: Db,
  token_hash: string,
): Promise<{ organization_id: string; invited_by: string } | undefined> {
  const { organization_id, invited_by } = organizationInvitations
  const rows = await tx
    .delete(organizationInvitations)
    .where(and(eq(organizationInvitations.token_hash, token_hash), isOpen))
    .returning({ organization_id, invited_by })
  return rows[0]
}

/** Forgets invitations that expired. */
export async function deleteExpiredInvitations(db: Db): Promise<void> {
  await db.execute(sql`DELETE FROM organization_invitations WHERE expires_at < now()`)
}
