import { and, eq, getTableColumns, or, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { indexMessages } from '../search/store.ts'
import { versionIds } from '../store.ts'
import type { MessageRow, VersionedRow } from '../store.ts'
import { chatMessages, chatSessions } from '../tables.ts'

/** The messages of a turn, if the user owns its session: the question, and the answer that is chosen. */
export async function listTurnMessages(db: Db, user_id: string, chat_id: string): Promise<VersionedRow[]> {
  return db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .innerJoin(chatSessions, eq(chatSessions.id, chatMessages.sess_id))
    .where(
      and(
        eq(chatMessages.chat_id, chat_id),
        eq(chatSessions.user_id, user_id),
        or(eq(chatMessages.role, 'human'), eq(chatMessages.chosen, true)),
      ),
    )
    .orderBy(chatMessages.id)
}

/** One message, if the user owns its session. */
export async function findMessage(db: Db, user_id: string, id: string): Promise<VersionedRow | undefined> {
  const rows = await db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .innerJoin(chatSessions, eq(chatSessions.id, chatMessages.sess_id))
    .where(and(eq(chatMessages.id, id), eq(chatSessions.user_id, user_id)))
  return rows[0]
}

/** The question of a turn in a session the caller owns. */
export async function findQuestion(
  db: Db,
  sess_id: string,
  chat_id: string,
): Promise<MessageRow | undefined> {
  const rows = await db
    .select()
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.sess_id, sess_id),
        eq(chatMessages.chat_id, chat_id),
        eq(chatMessages.role, 'human'),
      ),
    )
  return rows[0]
}

/**
 * Takes out of sight what hangs below a message that is looked at, for something new to take its place: all from
 * `question` on, but not the parent itself.
 */
export async function hideBranch(
  tx: Db,
  sess_id: string,
  parent_id: string,
  question: Pick<MessageRow, 'chat_id' | 'id'>,
): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_messages SET replaced_at = now(), chosen = parent_id <> ${parent_id}
    WHERE sess_id = ${sess_id} AND replaced_at IS NULL AND id <> ${parent_id}
      AND (chat_id, id) >= (${question.chat_id}, ${question.id})`)
}

/** Chooses a message and all that it hangs below, and brings into sight what is then looked at. */
export async function showBranch(tx: Db, sess_id: string, id: string): Promise<void> {
  await tx.execute(sql`
    WITH RECURSIVE up AS (
      SELECT id, parent_id FROM chat_messages WHERE sess_id = ${sess_id} AND id = ${id}
      UNION ALL
      SELECT m.id, m.parent_id FROM up JOIN chat_messages m ON m.sess_id = ${sess_id} AND m.id = up.parent_id
    )
    UPDATE chat_messages m SET chosen = NOT m.chosen
    WHERE m.sess_id = ${sess_id} AND m.parent_id IN (SELECT parent_id FROM up)
      AND m.chosen <> (m.id IN (SELECT id FROM up))`)
  await updateVisiblePath(tx, sess_id)
}

/** Makes what is in sight follow from what is chosen. */
async function updateVisiblePath(tx: Db, sess_id: string): Promise<void> {
  await tx.execute(sql`
    WITH RECURSIVE path AS (
      SELECT id FROM chat_messages WHERE sess_id = ${sess_id} AND parent_id = ${sess_id} AND chosen
      UNION ALL
      SELECT m.id FROM path JOIN chat_messages m
        ON m.sess_id = ${sess_id} AND m.parent_id = path.id AND m.chosen
    )
    UPDATE chat_messages m SET replaced_at = CASE WHEN m.replaced_at IS NULL THEN now() END
    WHERE m.sess_id = ${sess_id} AND (m.replaced_at IS NULL) <> (m.id IN (SELECT id FROM path))`)
}

/**
 * Deletes a turn with all its answers. What hung below them hangs where its question did; where nothing is chosen there
 * any more, the newest is.
 */
export async function deleteTurn(
  tx: Db,
  { sess_id, chat_id, parent_id }: Pick<MessageRow, 'sess_id' | 'chat_id' | 'parent_id'>,
): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_messages SET parent_id = ${parent_id}, chosen = replaced_at IS NULL
    WHERE sess_id = ${sess_id} AND chat_id <> ${chat_id} AND parent_id IN (
      SELECT id FROM chat_messages WHERE sess_id = ${sess_id} AND chat_id = ${chat_id})`)
  await tx.execute(sql`DELETE FROM chat_messages WHERE sess_id = ${sess_id} AND chat_id = ${chat_id}`)
  await tx.execute(sql`
    UPDATE chat_messages SET chosen = true WHERE id = (
      SELECT id FROM chat_messages WHERE sess_id = ${sess_id} AND parent_id = ${parent_id}
      ORDER BY id DESC LIMIT 1)
    AND NOT EXISTS (
      SELECT 1 FROM chat_messages WHERE sess_id = ${sess_id} AND parent_id = ${parent_id} AND chosen)`)
  await updateVisiblePath(tx, sess_id)
}

/** An answer goes on: another run adds to it. */
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

/** What the end of a run adds to its answer; `charged` in micro-coins. */
export type AnswerUpdate = Pick<
  MessageRow,
  | 'text'
  | 'reasoning'
  | 'reasoning_ms'
  | 'status'
  | 'error_code'
  | 'finish'
  | 'platform'
  | 'first_text_ms'
  | 'input_tokens'
  | 'output_tokens'
> & { run_id: string; charged: string }

export async function completeAnswers(tx: Db, updates: AnswerUpdate[]): Promise<void> {
  const { rows } = await tx.execute<{ id: string; text: string }>(sql`
    UPDATE chat_messages m SET
      text = m.text || e.text,
      reasoning = m.reasoning || e.reasoning,
      reasoning_ms = CASE WHEN e.reasoning_ms IS NULL THEN m.reasoning_ms
        ELSE coalesce(m.reasoning_ms, 0) + e.reasoning_ms END,
      status = e.status, error_code = e.error_code, finish = e.finish,
      platform = coalesce(e.platform, m.platform),
      first_text_ms = coalesce(m.first_text_ms, e.first_text_ms),
      input_tokens = m.input_tokens + e.input_tokens,
      output_tokens = m.output_tokens + e.output_tokens,
      amount = m.amount + e.charged
    FROM json_to_recordset(${JSON.stringify(updates)}::json) AS e(run_id uuid, text text, reasoning text,
      reasoning_ms int, status text, error_code text, finish text, platform text, first_text_ms int,
      input_tokens int, output_tokens int, charged bigint)
    WHERE m.run_id = e.run_id RETURNING m.id, m.text`)
  await indexMessages(tx, rows)
}
