import { and, desc, eq, getTableColumns, ilike, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { PRIVATE, PUBLIC, SHARED } from '#contract/agents/agent-defaults.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import {
  accountColumns,
  budgetColumns,
  createBudget,
  joinAccount,
  joinBudget,
} from '#server/ledger/ledger.ts'
import { isFellowMember } from '#server/accounts/organizations/organizations.ts'
import { agentBlocks, agentEvaluations, agents, agentUses, agentWidgets } from './tables.ts'

export type AgentRow = typeof agents.$inferSelect
/** Columns that a form sets. */
export type AgentFields = Omit<
  AgentRow,
  'id' | 'user_id' | 'draft_of' | 'version' | 'uses' | 'created_at' | 'updated_at'
>
type AgentQuery = { tab: 'default' | 'popular' | 'unknown'; q: string; category_id?: number | undefined }

const isOwn = (userId: string) => eq(agents.user_id, userId)
const isNoDraft = isNull(agents.draft_of)
const isPublic = and(isNoDraft, eq(agents.visible, PUBLIC))
/** Condition: the agent is shared with the organization to which its owner and a person belong. */
const isSharedWith = (userId: string) =>
  and(isNoDraft, eq(agents.visible, SHARED), isFellowMember(agents.user_id, userId))
/** Condition: a person's own agents, unsaved forms among them, those shared with the organization, and public ones. */
const isUsable = (userId: string) => or(isOwn(userId), isSharedWith(userId), isPublic)

/** The ids of an agent's sources, in their order. */
const blockIds = sql<string[]>`coalesce((
  SELECT json_agg(b.block_id ORDER BY b.position) FROM agent_blocks b WHERE b.agent_id = ${agents.id}), '[]')`
const columns = { ...getTableColumns(agents), blocks: blockIds }
/** An agent with its sources. */
export type StoredAgent = AgentRow & { blocks: string[] }

/** Finds an agent of a user, or an unsaved form. */
export async function findOwnAgent(db: Db, userId: string, id: string): Promise<StoredAgent | undefined> {
  const rows = await db
    .select(columns)
    .from(agents)
    .where(and(eq(agents.id, id), isOwn(userId)))
  return rows[0]
}

/** Finds the same, or another person's agent that is public or shared with the user's organization. */
export async function findUsableAgent(db: Db, userId: string, id: string): Promise<StoredAgent | undefined> {
  const rows = await db
    .select(columns)
    .from(agents)
    .where(and(eq(agents.id, id), isUsable(userId)))
  return rows[0]
}

/** Finds the name of a public agent. */
export async function findPublicName(db: Db, id: string): Promise<string | undefined> {
  const rows = await db
    .select({ name: agents.name })
    .from(agents)
    .where(and(eq(agents.id, id), isPublic))
  return rows[0]?.name
}

/** Finds a user's unsaved form of an agent, or with null that of a new one. */
export async function findDraft(
  db: Db,
  userId: string,
  agentId: string | null,
): Promise<StoredAgent | undefined> {
  const isOf =
    agentId === null
      ? eq(agents.draft_of, agents.id)
      : and(eq(agents.draft_of, agentId), sql`${agents.draft_of} <> ${agents.id}`)
  return (
    await db
      .select(columns)
      .from(agents)
      .where(and(isOwn(userId), isOf))
  )[0]
}

/** Lets the transactions that count and create agents of a user run one after another. */
export async function lockCreation(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`agents:${userId}`}, 0))`)
}

export async function countAgents(db: Db, userId: string): Promise<number> {
  return db.$count(agents, and(isOwn(userId), isNoDraft))
}

/** Conditions: every word of a search occurs in name or description. */
const hasWords = (q: string): SQL[] =>
  q
    .split(/\s+/)
    .filter(Boolean)
    .map((word) =>
      ilike(sql`${agents.name} || ' ' || ${agents.desc}`, `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    )

const isListed = (userId: string, { tab, q, category_id }: AgentQuery) =>
  and(
    tab === 'unknown' ? sql`false` : tab === 'popular' ? isPublic : and(isNoDraft, isUsable(userId)),
    category_id === undefined ? undefined : eq(agents.category_id, category_id),
    ...hasWords(q),
  )

/**
 * Lists public agents by how much they are used; or a person's own, the last changed first, then those of the organization and
 * then public ones, the newest first.
 */
export async function listAgents(
  db: Db,
  userId: string,
  { size, offset, ...query }: AgentQuery & { size: number; offset: number },
): Promise<StoredAgent[]> {
  const isOwn = sql`${agents.user_id} = ${userId}`
  const order =
    query.tab === 'popular'
      ? [desc(agents.uses)]
      : [desc(isOwn), sql`CASE WHEN ${isOwn} THEN ${agents.updated_at} END DESC NULLS LAST`, agents.visible]
  return db
    .select(columns)
    .from(agents)
    .where(isListed(userId, query))
    .orderBy(...order, desc(agents.id))
    .limit(size)
    .offset(offset)
}

export async function countListedAgents(db: Db, userId: string, query: AgentQuery): Promise<number> {
  return db.$count(agents, isListed(userId, query))
}

/** Lists agents that a person asked and may still ask, the last asked first. */
export async function listUsedAgents(db: Db, userId: string, size: number): Promise<StoredAgent[]> {
  return db
    .select(columns)
    .from(agents)
    .innerJoin(agentUses, and(eq(agentUses.agent_id, agents.id), eq(agentUses.user_id, userId)))
    .where(and(isNoDraft, isUsable(userId)))
    .orderBy(desc(agentUses.used_at), desc(agents.id))
    .limit(size)
}

/** Inserts an agent; returns false where there is one of this id. */
export async function insertAgent(
  tx: Db,
  agent: AgentFields & Pick<AgentRow, 'id' | 'user_id'>,
): Promise<boolean> {
  const rows = await tx.insert(agents).values(agent).onConflictDoNothing().returning({ id: agents.id })
  return rows.length === 1
}

/** Returns the ids of existing agents among these, whoever their owners are. */
export async function listKnownAgents(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.select({ id: agents.id }).from(agents).where(inArray(agents.id, ids))
  return rows.map(({ id }) => id)
}

/**
 * Begins an unsaved form with the fields and sources of an agent, or with those of a new one. Another request may have begun
 * it a moment before: then that one stays.
 */
export async function insertDraft(
  tx: Db,
  userId: string,
  fields: AgentFields,
  agentId: string | null,
): Promise<void> {
  const id = createId()
  const inserted = await tx
    .insert(agents)
    .values({ ...fields, id, user_id: userId, draft_of: agentId ?? id })
    .onConflictDoNothing()
    .returning({ id: agents.id })
  if (!inserted.length || agentId === null) return
  await tx.execute(sql`
    INSERT INTO agent_blocks (agent_id, block_id, position)
    SELECT ${id}::uuid, block_id, position FROM agent_blocks WHERE agent_id = ${agentId}`)
}

/** Changes an agent of a user, or an unsaved form, and locks it until the transaction ends; false where the user has none. */
export async function updateAgent(tx: Db, userId: string, id: string, fields: AgentFields): Promise<boolean> {
  const rows = await tx
    .update(agents)
    .set({ ...fields, version: sql`${agents.version} + 1`, updated_at: sql`now()` })
    .where(and(eq(agents.id, id), isOwn(userId)))
    .returning({ id: agents.id })
  return rows.length === 1
}

/** Makes private what users have shared with their organization, their unsaved forms too. */
export async function unshareAgents(tx: Db, userIds: string[]): Promise<void> {
  await tx
    .update(agents)
    .set({ visible: PRIVATE })
    .where(and(inArray(agents.user_id, userIds), eq(agents.visible, SHARED)))
}

/** Sets who may use an agent of a user; false where the user has none. */
export async function setVisible(db: Db, userId: string, id: string, visible: 0 | 1 | 2): Promise<boolean> {
  const rows = await db
    .update(agents)
    .set({ visible })
    .where(and(eq(agents.id, id), isOwn(userId), isNoDraft))
    .returning({ id: agents.id })
  return rows.length === 1
}

/** Deletes a user's unsaved form; false where the user has none. */
export async function deleteDraft(tx: Db, userId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(agents)
    .where(and(eq(agents.id, id), isOwn(userId), isNotNull(agents.draft_of)))
    .returning({ id: agents.id })
  return rows.length === 1
}

/** Deletes an agent of a user with its unsaved form, or an unsaved form. */
export async function deleteAgent(db: Db, userId: string, id: string): Promise<void> {
  await db.delete(agents).where(and(eq(agents.id, id), isOwn(userId)))
}

/** Replaces the sources of an agent, which the caller has locked. */
export async function replaceBlocks(tx: Db, agentId: string, ids: string[]): Promise<void> {
  await tx.delete(agentBlocks).where(eq(agentBlocks.agent_id, agentId))
  if (!ids.length) return
  await tx
    .insert(agentBlocks)
    .values(ids.map((blockId, position) => ({ agent_id: agentId, block_id: blockId, position })))
}

/** Returns the pictures among these that are the logo of an agent or an unsaved form. */
export async function listUsedLogos(db: Db, urls: string[]): Promise<string[]> {
  const rows = await db.select({ logo: agents.logo }).from(agents).where(inArray(agents.logo, urls))
  return rows.map(({ logo }) => logo)
}

/** Records that a person asked an agent, and counts it where the agent is another person's. */
export async function countUse(tx: Db, userId: string, agentId: string): Promise<void> {
  await tx
    .insert(agentUses)
    .values({ user_id: userId, agent_id: agentId })
    .onConflictDoUpdate({ target: [agentUses.user_id, agentUses.agent_id], set: { used_at: sql`now()` } })
  await tx
    .update(agents)
    .set({ uses: sql`${agents.uses} + 1` })
    .where(and(eq(agents.id, agentId), sql`${agents.user_id} <> ${userId}`))
}

export type WidgetRow = typeof agentWidgets.$inferSelect
type WidgetSettings = Pick<WidgetRow, 'enabled' | 'sites' | 'daily_limit'>

/** Finds the widget of an agent that the caller may see, with the micro-coins that its budget was charged. */
export async function findWidget(
  db: Db,
  agentId: string,
): Promise<(WidgetRow & { used: bigint | null }) | undefined> {
  const { used } = budgetColumns
  const rows = await db
    .select({ ...getTableColumns(agentWidgets), used })
    .from(agentWidgets)
    .leftJoin(...joinBudget(agentWidgets.budget_id))
    .where(eq(agentWidgets.agent_id, agentId))
  return rows[0]
}

/** Sets the widget of an agent that is the caller's; returns the id of its last budget. */
export async function saveWidget(tx: Db, agentId: string, settings: WidgetSettings): Promise<string | null> {
  const rows = await tx
    .insert(agentWidgets)
    .values({ ...settings, agent_id: agentId })
    .onConflictDoUpdate({ target: agentWidgets.agent_id, set: settings })
    .returning({ budget_id: agentWidgets.budget_id })
  return rows[0]?.budget_id ?? null
}

const isEmbeddable = and(isPublic, eq(agentWidgets.enabled, true))

/** Finds a public agent whose owner lets it be embedded, and the sites that may show it. */
export async function findEmbeddedAgent(
  db: Db,
  id: string,
): Promise<(AgentRow & Pick<WidgetRow, 'sites'>) | undefined> {
  const rows = await db
    .select({ ...getTableColumns(agents), sites: agentWidgets.sites })
    .from(agents)
    .innerJoin(agentWidgets, eq(agentWidgets.agent_id, agents.id))
    .where(and(eq(agents.id, id), isEmbeddable))
  return rows[0]
}

/** Finds the account that pays for the visitors of such an agent, and its budget. */
export async function findWidgetPayer(
  db: Db,
  id: string,
): Promise<(Pick<WidgetRow, 'budget_id' | 'budget_day'> & { account_id: string }) | undefined> {
  const { budget_id, budget_day } = agentWidgets
  const rows = await db
    .select({ ...accountColumns, budget_id, budget_day })
    .from(agents)
    .innerJoin(agentWidgets, eq(agentWidgets.agent_id, agents.id))
    .innerJoin(...joinAccount(agents.user_id))
    .where(and(eq(agents.id, id), isEmbeddable))
  return rows[0]
}

/** Returns the budget of an agent's widget on a day, which the first call of the day opens. */
export async function openWidgetBudget(tx: Db, agentId: string, day: string): Promise<string | null> {
  const id = createId()
  const [budget] = await tx
    .update(agentWidgets)
    .set({ budget_id: id, budget_day: day })
    .where(and(eq(agentWidgets.agent_id, agentId), sql`${agentWidgets.budget_day} IS DISTINCT FROM ${day}`))
    .returning({ spend_limit: agentWidgets.daily_limit })
  if (budget) {
    await createBudget(tx, { id, kind: 'widget', ...budget })
    return id
  }
  const { budget_id } = agentWidgets
  const rows = await tx.select({ budget_id }).from(agentWidgets).where(eq(agentWidgets.agent_id, agentId))
  return rows[0]?.budget_id ?? null
}

export type EvaluationRow = typeof agentEvaluations.$inferSelect
export type Sample = EvaluationRow['samples'][number]
export type EvaluationResult = EvaluationRow['results'][number]

/** Lets one request at a time begin something with an agent, until the transaction ends. */
export async function lockAgent(tx: Db, id: string): Promise<void> {
  await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, id)).for('update')
}

export async function hasOpenEvaluation(tx: Db, agentId: string): Promise<boolean> {
  const isOpen = and(eq(agentEvaluations.agent_id, agentId), isNull(agentEvaluations.ended_at))
  return (await tx.$count(agentEvaluations, isOpen)) > 0
}

export async function insertEvaluation(
  tx: Db,
  evaluation: Pick<EvaluationRow, 'id' | 'agent_id' | 'version' | 'task_id' | 'samples'>,
): Promise<void> {
  await tx.insert(agentEvaluations).values(evaluation)
}

/** Finds a self-test of a user's agent. */
export async function findEvaluation(db: Db, userId: string, id: string): Promise<EvaluationRow | undefined> {
  const rows = await db
    .select(getTableColumns(agentEvaluations))
    .from(agentEvaluations)
    .innerJoin(agents, and(eq(agents.id, agentEvaluations.agent_id), isOwn(userId)))
    .where(eq(agentEvaluations.id, id))
  return rows[0]
}

/** Lists the self-tests of an agent that the caller may see, the latest first. */
export async function listEvaluations(db: Db, agentId: string, size: number): Promise<EvaluationRow[]> {
  return db
    .select()
    .from(agentEvaluations)
    .where(eq(agentEvaluations.agent_id, agentId))
    .orderBy(desc(agentEvaluations.id))
    .limit(size)
}

/** Stores the questions of a self-test that the server itself names. */
export async function updateSamples(tx: Db, id: string, samples: Sample[]): Promise<void> {
  await tx.update(agentEvaluations).set({ samples }).where(eq(agentEvaluations.id, id))
}

/** Adds results to a self-test that the server itself names. */
export async function addResults(tx: Db, id: string, results: EvaluationResult[]): Promise<void> {
  await tx
    .update(agentEvaluations)
    .set({ results: sql`${agentEvaluations.results} || ${JSON.stringify(results)}::jsonb` })
    .where(eq(agentEvaluations.id, id))
}

/** Lets a self-test that has ended go on. */
export async function reopenEvaluation(tx: Db, id: string): Promise<void> {
  await tx.update(agentEvaluations).set({ code: null, ended_at: null }).where(eq(agentEvaluations.id, id))
}

/** Ends a self-test that the server itself names. */
export async function endEvaluation(tx: Db, id: string, code: string | null): Promise<void> {
  await tx
    .update(agentEvaluations)
    .set({ code, ended_at: sql`now()` })
    .where(eq(agentEvaluations.id, id))
}
