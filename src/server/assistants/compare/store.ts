import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Column, Vote } from '#contract/compare/compare.ts'
import type { Db } from '#server/core/database/database.ts'
import { comparisons, compareVotes } from './tables.ts'
import type { VotedAnswer } from './tables.ts'

export type ComparisonState = { models: Column[]; blind: boolean }
export type VoteRow = typeof compareVotes.$inferSelect

const columns = { models: comparisons.models, blind: comparisons.blind }

/** Returns the comparison of a session that the caller owns. */
export async function findComparison(db: Db, sessId: string): Promise<ComparisonState> {
  const rows = await db.select(columns).from(comparisons).where(eq(comparisons.sess_id, sessId))
  return rows[0] ?? { models: [], blind: false }
}

/** Changes the given fields of a session that the caller has locked. */
export async function saveComparison(
  tx: Db,
  sessId: string,
  changes: Partial<ComparisonState>,
): Promise<ComparisonState> {
  const rows = await tx
    .insert(comparisons)
    .values({ sess_id: sessId, ...changes })
    .onConflictDoUpdate({ target: comparisons.sess_id, set: { sess_id: sessId, ...changes } })
    .returning(columns)
  return rows[0]!
}

/** Lists a user's votes on these turns. */
export async function listVotes(db: Db, userId: string, chatIds: string[]): Promise<Vote[]> {
  if (!chatIds.length) return []
  return db
    .select({ chat_id: compareVotes.chat_id, winner: compareVotes.winner, kind: compareVotes.kind })
    .from(compareVotes)
    .where(and(eq(compareVotes.user_id, userId), inArray(compareVotes.chat_id, chatIds)))
    .orderBy(compareVotes.chat_id)
}

/** Stores a vote, replacing an earlier one on the same turn. */
export async function saveVote(
  db: Db,
  vote: Vote & { user_id: string; sess_id: string; answers: VotedAnswer[] },
): Promise<void> {
  const { winner, kind, answers } = vote
  await db
    .insert(compareVotes)
    .values(vote)
    .onConflictDoUpdate({
      target: [compareVotes.user_id, compareVotes.chat_id],
      set: { winner, kind, answers },
    })
}

/** Lists all votes of a user; those of the last `days` days if given. */
export async function listAllVotes(db: Db, userId: string, days?: number): Promise<VoteRow[]> {
  const recent =
    days === undefined ? undefined : sql`${compareVotes.created_at} > now() - make_interval(days => ${days})`
  return db
    .select()
    .from(compareVotes)
    .where(and(eq(compareVotes.user_id, userId), recent))
}

/** Recent conversations, and answers of each model in them, from which the expected length is computed. */
const RECENT_SESSIONS = 20
const RECENT_ANSWERS = 20

/** Returns the average output tokens of a user's latest complete answers, by model; models without any are left out. */
export async function getAverageOutputs(
  db: Db,
  userId: string,
  models: string[],
): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ model: string; tokens: number }>(sql`
    SELECT model, round(avg(output_tokens))::int AS tokens FROM (
      SELECT model, output_tokens, row_number() OVER (PARTITION BY model ORDER BY id DESC) AS nth
      FROM chat_messages
      WHERE sess_id IN (
          SELECT id FROM chat_sessions WHERE user_id = ${userId} ORDER BY updated_at DESC LIMIT ${RECENT_SESSIONS})
        AND hidden_at IS NULL AND role = 'ai' AND status = 'done' AND output_tokens > 0
        AND model IN (SELECT json_array_elements_text(${JSON.stringify(models)}::json))
    ) AS recent WHERE nth <= ${RECENT_ANSWERS} GROUP BY model`)
  return new Map(rows.map(({ model, tokens }) => [model, tokens]))
}

/** Gives a guest's votes to an account. */
export async function moveVotes(tx: Db, from: string, to: string): Promise<void> {
  await tx.update(compareVotes).set({ user_id: to }).where(eq(compareVotes.user_id, from))
}
