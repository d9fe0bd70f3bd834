import { and, eq, inArray, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Role } from '#contract/users.ts'
import { createId } from '#server/core/ids.ts'
import { momentSql } from '#server/core/database/moment-sql.ts'
import type { Db } from '#server/core/database/database.ts'
import { createBudget, createOrganizationAccount } from '#server/ledger/ledger.ts'
import { organizationMembers, organizations } from './tables.ts'

/** A user's membership, with the facts about the organization that the user may know. Amounts in micro-coins. */
export type Membership = {
  /** Id of the membership and of its budget. */
  id: string
  organization_id: string
  name: string
  logo: string
  role: Role
  /** Plain members may invite too, and remove whom they invited. */
  members_can_invite: boolean
  pays: boolean
  balance: bigint
  spend_limit: bigint | null
  used: bigint
}

/** A row as the database returns it, with bigints as text. */
type Stored<Row> = { [K in keyof Row]: bigint extends Row[K] ? string : Row[K] }

/** Finds the membership of a user in an organization, or without `organizationId` in any. */
export async function findMembership(
  db: Db,
  userId: string,
  organizationId?: string,
): Promise<Membership | undefined> {
  const { rows } = await db.execute<Stored<Membership>>(sql`
    SELECT m.id, m.organization_id, o.name, o.logo, o.members_can_invite, m.role, m.pays, a.balance::text, b.spend_limit::text, b.used::text
    FROM organization_members m JOIN organizations o ON o.id = m.organization_id
    JOIN ledger_accounts a ON a.organization_id = o.id JOIN ledger_budgets b ON b.id = m.id
    WHERE m.user_id = ${userId} ${organizationId === undefined ? sql`` : sql`AND o.id = ${organizationId}`}`)
  const [row] = rows
  return row && { ...row, balance: BigInt(row.balance), ...toBudget(row) }
}

const toBudget = ({ spend_limit, used }: { spend_limit: string | null; used: string }) => ({
  spend_limit: spend_limit === null ? null : BigInt(spend_limit),
  used: BigInt(used),
})

/** Inserts an organization and its account. */
export async function insertOrganization(tx: Db, organization: { id: string; name: string; logo: string }) {
  await tx.insert(organizations).values(organization)
  await createOrganizationAccount(tx, organization.id)
}

/** Deletes an organization with its memberships and invitations; accounts and budgets of the ledger stay. */
export async function deleteOrganization(tx: Db, id: string): Promise<void> {
  await tx.delete(organizations).where(eq(organizations.id, id))
}

/** Prevents other transactions from changing an organization's members until this one ends. */
export async function lockOrganization(tx: Db, id: string): Promise<void> {
  await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('update')
}

/** Changes an organization. The caller has checked permissions. */
export async function updateOrganization(
  db: Db,
  id: string,
  changes: { name?: string; logo?: string; members_can_invite?: boolean },
): Promise<void> {
  await db.update(organizations).set(changes).where(eq(organizations.id, id))
}

/** Returns those of the pictures that are the logo of an organization. */
export async function listUsedLogos(db: Db, urls: string[]): Promise<string[]> {
  const rows = await db
    .select({ logo: organizations.logo })
    .from(organizations)
    .where(inArray(organizations.logo, urls))
  return rows.map(({ logo }) => logo)
}

/** Makes a user a member, with a budget of this limit; returns false if the user is already in an organization. */
export async function insertMember(
  tx: Db,
  member: { organization_id: string; user_id: string; role: Role; invited_by?: string },
  spendLimit: bigint | null = null,
): Promise<boolean> {
  const rows = await tx
    .insert(organizationMembers)
    .values({ ...member, id: createId() })
    .onConflictDoNothing()
    .returning({ id: organizationMembers.id })
  if (rows[0]) await createBudget(tx, { id: rows[0].id, kind: 'member', spend_limit: spendLimit })
  return rows.length === 1
}

export async function countMembers(db: Db, organizationId: string, role?: Role): Promise<number> {
  const { organization_id: of, role: has } = organizationMembers
  return db.$count(organizationMembers, and(eq(of, organizationId), role ? eq(has, role) : undefined))
}

/** A member as the others see it. Amounts in micro-coins. */
export type MemberRow = {
  id: string
  user_id: string
  name: string
  avatar: string
  role: Role
  invited_by: string | null
  spend_limit: bigint | null
  used: bigint
  used_this_month: bigint
  calls_this_month: number
  joined_at: string
}

/** Start of the month in China. */
const MONTH = sql`date_trunc('month', now() AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai'`
/** Runs billed to an organization, ever or in this month. A run counts when it began. */
const allBilledSql = (organizationId: string): SQL => sql`
  r.account_id = (SELECT id FROM ledger_accounts WHERE organization_id = ${organizationId}) AND r.usage_source IS NOT NULL`
const billedSql = (organizationId: string): SQL =>
  sql`FROM runs r WHERE ${allBilledSql(organizationId)} AND r.started_at >= ${MONTH}`

/** A bill of an organization. Amounts in micro-coins. */
export type BillRow = {
  id: string
  user_id: string
  name: string
  source: string
  model: string
  amount: string
  input_tokens: number
  output_tokens: number
  created_at: string
}

/** Lists the bills of an organization, the newest first. */
export async function listBills(
  db: Db,
  organizationId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<BillRow[]> {
  const { rows } = await db.execute<BillRow>(sql`
    SELECT r.id, r.user_id, coalesce(u.name, '') AS name, r.kind AS source, r.model, r.amount::text, r.input_tokens,
      r.output_tokens, ${momentSql(sql`r.started_at`)} AS created_at
    FROM runs r LEFT JOIN users u ON u.id = r.user_id WHERE ${allBilledSql(organizationId)}
    ORDER BY r.started_at DESC, r.id DESC LIMIT ${limit} OFFSET ${offset}`)
  return rows
}

export async function countBills(db: Db, organizationId: string): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM runs r WHERE ${allBilledSql(organizationId)}`,
  )
  return rows[0]!.total
}

/** Lists the members of an organization, or one of them: owners first, then by the time of joining. */
export async function listMembers(db: Db, organizationId: string, userId?: string): Promise<MemberRow[]> {
  const { rows } = await db.execute<Stored<MemberRow> & { calls_this_month: number }>(sql`
    WITH billed AS (
      SELECT r.user_id, sum(r.amount) AS amount, count(*) AS calls ${billedSql(organizationId)} GROUP BY r.user_id
    )
    SELECT m.id, m.user_id, u.name, u.avatar, m.role, m.invited_by, b.spend_limit::text, b.used::text,
      coalesce(billed.amount, 0)::text AS used_this_month, coalesce(billed.calls, 0)::int AS calls_this_month,
      ${momentSql(sql`m.joined_at`)} AS joined_at
    FROM organization_members m JOIN users u ON u.id = m.user_id JOIN ledger_budgets b ON b.id = m.id
    LEFT JOIN billed ON billed.user_id = m.user_id
    WHERE m.organization_id = ${organizationId} ${userId === undefined ? sql`` : sql`AND m.user_id = ${userId}`}
    ORDER BY array_position(ARRAY['owner', 'admin', 'member'], m.role), m.id`)
  return rows.map((row) => ({ ...row, ...toBudget(row), used_this_month: BigInt(row.used_this_month) }))
}

/** Sums this month's bills of an organization in micro-coins, including members who left. */
export async function sumMonth(db: Db, organizationId: string): Promise<bigint> {
  const { rows } = await db.execute<{ amount: string }>(
    sql`SELECT coalesce(sum(r.amount), 0)::text AS amount ${billedSql(organizationId)}`,
  )
  return BigInt(rows[0]!.amount)
}

/** Returns the ids of the organization's owners. */
export async function listOwners(db: Db, organizationId: string): Promise<string[]> {
  const { organization_id: of, role, user_id } = organizationMembers
  const rows = await db
    .select({ user_id })
    .from(organizationMembers)
    .where(and(eq(of, organizationId), eq(role, 'owner')))
  return rows.map((row) => row.user_id)
}

/** Changes a membership. The caller has checked permissions. */
export async function updateMember(
  tx: Db,
  id: string,
  changes: { role?: Role; pays?: boolean },
): Promise<void> {
  await tx.update(organizationMembers).set(changes).where(eq(organizationMembers.id, id))
}

/** Sets the payer of a user's next requests; returns false if the user is in no organization. */
export async function setPays(db: Db, userId: string, pays: boolean): Promise<boolean> {
  const rows = await db
    .update(organizationMembers)
    .set({ pays })
    .where(eq(organizationMembers.user_id, userId))
    .returning({ id: organizationMembers.id })
  return rows.length === 1
}

/** Deletes a membership; its budget stays. */
export async function deleteMember(tx: Db, id: string): Promise<void> {
  await tx.delete(organizationMembers).where(eq(organizationMembers.id, id))
}

/** Returns a subquery for the id of a user's organization. */
export const organizationOf = (userId: string): SQL =>
  sql`(SELECT organization_id FROM organization_members WHERE user_id = ${userId})`

/** Returns a condition: the user in a column belongs to the same organization as `userId`. */
export const isFellowMember = (of: AnyPgColumn, userId: string): SQL => sql`EXISTS (
  SELECT FROM organization_members fellow
  WHERE fellow.user_id = ${of} AND fellow.organization_id = ${organizationOf(userId)})`

/** Finds the organization and role of a user; undefined if there is none. */
export async function findRole(
  db: Db,
  userId: string,
): Promise<{ organization_id: string; role: Role } | undefined> {
  const { organization_id, role } = organizationMembers
  const rows = await db
    .select({ organization_id, role })
    .from(organizationMembers)
    .where(eq(organizationMembers.user_id, userId))
  return rows[0]
}
