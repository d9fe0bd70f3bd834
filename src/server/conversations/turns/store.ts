import { and, eq, getTableColumns, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { FeedbackCounts } from '#contract/agents/agents.ts'
import { feedbackReasons, type Feedback } from '#contract/chat.ts'
import type { Db } from '#server/core/database/database.ts'
import { deleteStreamLogs } from '#server/runs/runs.ts'
import type { CompletionHook } from '#server/runs/runs.ts'
import type { AnswerNote } from '../assistant.ts'
import { versionIds } from '../messages/store.ts'
import type { MessageRow, VersionedRow } from '../messages/store.ts'
import { indexMessages } from '../search/store.ts'
import { chatMessages, chatSessions } from '../tables.ts'

/** An answer and the last run that wrote it; its own id if it was known without a run. */
export type AnswerRow = VersionedRow & { run_id: string }

/** Lists the messages of a turn, if the user owns its session: the question, and the chosen answers. */
export async function listTurnMessages(db: Db, userId: string, chatId: string): Promise<VersionedRow[]> {
  return db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .innerJoin(chatSessions, eq(chatSessions.id, chatMessages.sess_id))
    .where(
      and(
        eq(chatMessages.chat_id, chatId),
        eq(chatSessions.user_id, userId),
        or(eq(chatMessages.role, 'human'), eq(chatMessages.chosen, true)),
      ),
    )
    .orderBy(chatMessages.id)
}

/** Selects the answers of a turn side by side, in the order of the requested models; usually one. */
export function selectAnswers(turn: VersionedRow[]): VersionedRow[] {
  const last = turn.findLast(({ role }) => role === 'ai')
  return turn.filter(({ role, parent_id }) => role === 'ai' && parent_id === last?.parent_id)
}

/** Finds a message, if the user owns its session. */
export async function findMessage(db: Db, userId: string, id: string): Promise<VersionedRow | undefined> {
  const rows = await db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .innerJoin(chatSessions, eq(chatSessions.id, chatMessages.sess_id))
    .where(and(eq(chatMessages.id, id), eq(chatSessions.user_id, userId)))
  return rows[0]
}

/** Finds the question of a turn in a session the caller owns. */
export async function findQuestion(db: Db, sessId: string, chatId: string): Promise<MessageRow | undefined> {
  const rows = await db
    .select()
    .from(chatMessages)
    .where(
      and(eq(chatMessages.sess_id, sessId), eq(chatMessages.chat_id, chatId), eq(chatMessages.role, 'human')),
    )
  return rows[0]
}

/**
 * Hides the messages below a visible one, so that new ones can replace them: all from `question` on, but not the parent itself.
 */
export async function hideBranch(
  tx: Db,
  sessId: string,
  parentId: string,
  question: Pick<MessageRow, 'chat_id' | 'id'>,
): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_messages SET hidden_at = now(), chosen = parent_id <> ${parentId}
    WHERE sess_id = ${sessId} AND hidden_at IS NULL AND id <> ${parentId}
      AND (chat_id, id) >= (${question.chat_id}, ${question.id})`)
}

/** Hides the answers of these lanes to a question, so that new ones can take their places. */
export async function hideAnswers(
  tx: Db,
  sessId: string,
  questionId: string,
  lanes: string[],
): Promise<void> {
  await tx
    .update(chatMessages)
    .set({ hidden_at: sql`now()`, chosen: false })
    .where(
      and(
        eq(chatMessages.sess_id, sessId),
        eq(chatMessages.parent_id, questionId),
        eq(chatMessages.role, 'ai'),
        inArray(chatMessages.lane, lanes),
        isNull(chatMessages.hidden_at),
      ),
    )
}

/** Chooses a message and all its ancestors, and makes the branch visible. */
export async function showBranch(tx: Db, sessId: string, id: string): Promise<void> {
  await tx.execute(sql`
    WITH RECURSIVE up AS (
      SELECT id, parent_id, lane FROM chat_messages WHERE sess_id = ${sessId} AND id = ${id}
      UNION ALL
      SELECT m.id, m.parent_id, m.lane FROM up JOIN chat_messages m ON m.sess_id = ${sessId} AND m.id = up.parent_id
    )
    UPDATE chat_messages m SET chosen = NOT m.chosen FROM up
    WHERE m.sess_id = ${sessId} AND m.parent_id = up.parent_id AND m.lane = up.lane
      AND m.chosen <> (m.id = up.id)`)
  await updateVisiblePath(tx, sessId)
}

/** Makes the chosen messages visible, all the way down from the session, and hides the rest. */
async function updateVisiblePath(tx: Db, sessId: string): Promise<void> {
  await tx.execute(sql`
    WITH RECURSIVE path AS (
      SELECT id FROM chat_messages WHERE sess_id = ${sessId} AND parent_id = ${sessId} AND chosen
      UNION ALL
      SELECT m.id FROM path JOIN chat_messages m
        ON m.sess_id = ${sessId} AND m.parent_id = path.id AND m.chosen
    )
    UPDATE chat_messages m SET hidden_at = CASE WHEN m.hidden_at IS NULL THEN now() END
    WHERE m.sess_id = ${sessId} AND (m.hidden_at IS NULL) <> (m.id IN (SELECT id FROM path))`)
}

/**
 * Deletes a turn with all its answers. Their children move to the parent of its question; if none of that parent's children is
 * chosen then, the newest is.
 */
export async function deleteTurn(
  tx: Db,
  { sess_id, chat_id, parent_id }: Pick<MessageRow, 'sess_id' | 'chat_id' | 'parent_id'>,
): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_messages SET parent_id = ${parent_id}, chosen = hidden_at IS NULL
    WHERE sess_id = ${sess_id} AND chat_id <> ${chat_id} AND parent_id IN (
      SELECT id FROM chat_messages WHERE sess_id = ${sess_id} AND chat_id = ${chat_id})`)
  const { rows } = await tx.execute<{ run_id: string | null }>(sql`
    DELETE FROM chat_messages WHERE sess_id = ${sess_id} AND chat_id = ${chat_id} RETURNING run_id`)
  await deleteStreamLogs(
    tx,
    rows.map(({ run_id }) => run_id),
  )
  await tx.execute(sql`
    UPDATE chat_messages SET chosen = true WHERE id = (
      SELECT id FROM chat_messages WHERE sess_id = ${sess_id} AND parent_id = ${parent_id} AND lane = ''
      ORDER BY id DESC LIMIT 1)
    AND NOT EXISTS (
      SELECT 1 FROM chat_messages WHERE sess_id = ${sess_id} AND parent_id = ${parent_id} AND lane = '' AND chosen)`)
  await updateVisiblePath(tx, sess_id)
}

/** Stores a preparation's note with the answer of a run. */
export async function saveAnswerNote(db: Db, runId: string, note: AnswerNote): Promise<void> {
  await db.update(chatMessages).set(note).where(eq(chatMessages.run_id, runId))
}

/** Stores the opinion of a session's owner on one of its answers; undefined if there is no such answer. */
export async function updateFeedback(
  db: Db,
  userId: string,
  id: string,
  feedback: Feedback | null,
): Promise<MessageRow | undefined> {
  const isOwn = sql`EXISTS (SELECT 1 FROM ${chatSessions} s WHERE s.id = ${chatMessages.sess_id} AND s.user_id = ${userId})`
  const rows = await db
    .update(chatMessages)
    .set({ feedback })
    .where(and(eq(chatMessages.id, id), eq(chatMessages.role, 'ai'), isOwn))
    .returning()
  return rows[0]
}

const RECENT_DAYS = 30

/** Counts all readers' opinions of an agent's answers; the caller has checked who may see them. */
export async function countFeedback(db: Db, agent: string): Promise<FeedbackCounts> {
  const { feedback, created_at } = chatMessages
  const is = (rating: Feedback['rating']) => sql`${feedback} ->> 'rating' = ${rating}`
  const isRecent = sql`${created_at} > now() - make_interval(days => ${RECENT_DAYS})`
  const count = (condition: SQL | undefined) => sql<number>`(count(*) FILTER (WHERE ${condition}))::int`
  const has = (reason: Feedback['reasons'][number]) =>
    sql`${feedback} -> 'reasons' @> ${JSON.stringify([reason])}::jsonb`
  const rows = await db
    .select({
      all: { up: count(is('up')), down: count(is('down')) },
      recent: { up: count(and(is('up'), isRecent)), down: count(and(is('down'), isRecent)) },
      reasons: Object.fromEntries(
        feedbackReasons.map((reason) => [reason, count(and(is('down'), has(reason)))]),
      ) as Record<Feedback['reasons'][number], SQL<number>>,
    })
    .from(chatMessages)
    .where(and(eq(chatMessages.agent, agent), isNotNull(feedback)))
  return rows[0]!
}

export type AnswerChange = Partial<Pick<MessageRow, 'text' | 'liked'>>

export async function updateAnswer(tx: Db, id: string, change: AnswerChange): Promise<void> {
  const rows = await tx.update(chatMessages).set(change).where(eq(chatMessages.id, id)).returning()
  if (change.text !== undefined) await indexMessages(tx, rows)
}

/** Lets another run add to an answer. */
export async function resumeAnswer(
  tx: Db,
  id: string,
  run: Pick<MessageRow, 'run_id' | 'model' | 'chat_model' | 'stream' | 'wants_related'>,
): Promise<MessageRow> {
  const rows = await tx
    .update(chatMessages)
    .set({ ...run, status: 'typing', error_code: null, finish: null, related_prompts: [], related_at: null })
    .where(eq(chatMessages.id, id))
    .returning()
  return rows[0]!
}

/** Completion hook of runs of answers: appends their output to the messages. Uncharged runs add no figures. */
export const completeAnswers: CompletionHook = async (tx, settledRuns) => {
  const updates = settledRuns.map(({ run_id, result, timing, charged }) => ({
    run_id,
    text: result.text,
    reasoning: result.response.reasoning,
    reasoning_ms: timing.reasoning_ms,
    status: result.state,
    error_code: result.code,
    finish: result.response.finish,
    platform: result.billable ? result.platform : null,
    first_text_ms: timing.first_text_ms,
    duration_ms: timing.duration_ms,
    input_tokens: result.billable ? result.metered.tokens.input : 0,
    output_tokens: result.billable ? result.metered.tokens.output : 0,
    charged: charged.toString(),
    search: (result.note as AnswerNote | undefined)?.search ?? null,
  }))
  const { rows } = await tx.execute<{ id: string; text: string }>(sql`
    UPDATE chat_messages m SET
      text = m.text || e.text || CASE WHEN e.status = 'done' THEN coalesce(m.known_end, '') ELSE '' END,
      known_end = NULL,
      reasoning = m.reasoning || e.reasoning,
      reasoning_ms = CASE WHEN e.reasoning_ms IS NULL THEN m.reasoning_ms
        ELSE coalesce(m.reasoning_ms, 0) + e.reasoning_ms END,
      status = e.status, error_code = e.error_code, finish = e.finish,
      platform = coalesce(e.platform, m.platform),
      first_text_ms = coalesce(m.first_text_ms, e.first_text_ms),
      duration_ms = CASE WHEN e.duration_ms IS NULL THEN m.duration_ms
        ELSE coalesce(m.duration_ms, 0) + e.duration_ms END,
      input_tokens = m.input_tokens + e.input_tokens,
      output_tokens = m.output_tokens + e.output_tokens,
      amount = m.amount + e.charged,
      search = coalesce(e.search, m.search)
    FROM json_to_recordset(${JSON.stringify(updates)}::json) AS e(run_id uuid, text text, reasoning text,
      reasoning_ms int, status text, error_code text, finish text, platform text, first_text_ms int,
      duration_ms int, input_tokens int, output_tokens int, charged bigint, search jsonb)
    WHERE m.run_id = e.run_id RETURNING m.id, m.text`)
  await indexMessages(tx, rows)
}

/** Claims the generation of an answer's further questions; false if it has some, or if they were claimed in the last minute. */
export async function claimRelated(tx: Db, id: string): Promise<boolean> {
  const rows = await tx
    .update(chatMessages)
    .set({ related_at: sql`now()` })
    .where(
      and(
        eq(chatMessages.id, id),
        sql`${chatMessages.related_prompts} = '[]'::jsonb`,
        sql`(${chatMessages.related_at} IS NULL OR ${chatMessages.related_at} < now() - interval '1 minute')`,
      ),
    )
    .returning({ id: chatMessages.id })
  return rows.length === 1
}

/** Stores the questions that runs wrote for answers, but not for an answer that was continued since: its claim is gone. */
export async function saveRelated(
  tx: Db,
  generated: { id: string; run_id: string; prompts: string[] }[],
): Promise<void> {
  // Claim and run come from one transaction, so their times are equal.
  await tx.execute(sql`
    UPDATE chat_messages m SET related_prompts = e.prompts
    FROM json_to_recordset(${JSON.stringify(generated)}::json) AS e(id uuid, run_id uuid, prompts jsonb)
    JOIN runs r ON r.id = e.run_id
    WHERE m.id = e.id AND m.related_at = r.started_at AND m.status = 'done'`)
}
