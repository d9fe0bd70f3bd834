import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { PromptMessage } from '#server/llm/llm.ts'
import { joinRun, runStateColumns, runSubjectColumn } from '#server/runs/runs.ts'
import { gatewayCompletions, gatewayConversations, gatewayReasoning, gatewayTurns } from '../tables.ts'
import { deleteExpiredResponses } from '../protocols/openai-responses/store.ts'

// Keeps what outlives a call: for 7 days completions in the background and remembered conversations, for a day the reasoning of
// models before they called tools.

const isCompletionRetained = sql`${gatewayCompletions.created_at} > now() - interval '7 days'`
const isReasoningExpired = sql`${gatewayReasoning.created_at} < now() - interval '1 day'`
const isTurnRetained = sql`${gatewayTurns.created_at} > now() - interval '7 days'`

export async function insertCompletion(
  tx: Db,
  completion: { run_id: string; user_id: string; model: string },
): Promise<void> {
  await tx.insert(gatewayCompletions).values(completion)
}

export async function updateCompletionAnswer(tx: Db, runId: string, answer: string): Promise<void> {
  await tx.update(gatewayCompletions).set({ answer }).where(eq(gatewayCompletions.run_id, runId))
}

/** A completion of this key with the state of its run, whose subject is the key. */
export async function findCompletion(db: Db, keyId: string, runId: string) {
  const rows = await db
    .select({
      model: gatewayCompletions.model,
      answer: gatewayCompletions.answer,
      ...runStateColumns,
    })
    .from(gatewayCompletions)
    .innerJoin(...joinRun(gatewayCompletions.run_id))
    .where(and(eq(gatewayCompletions.run_id, runId), eq(runSubjectColumn, keyId), isCompletionRetained))
  return rows[0]
}

/** Limits of a remembered conversation: its newest turns, their characters. The newest turn is kept whatever its size. */
const MAX_TURNS = 100
const MAX_CHARS = 1_000_000

export type Conversation = { id: string; run_id: string | null; system: PromptMessage[] }

/** Finds the conversation of a key by its name, or creates it; locked until the transaction ends. */
export async function lockConversation(
  tx: Db,
  owner: { user_id: string; key_id: string },
  sessId: string,
): Promise<Conversation> {
  const { key_id } = gatewayConversations
  const [row] = await tx
    .insert(gatewayConversations)
    .values({ id: createId(), ...owner, sess_id: sessId })
    .onConflictDoUpdate({
      target: [key_id, gatewayConversations.sess_id],
      set: { updated_at: sql`now()` },
    })
    .returning()
  const { id, run_id, system } = row!
  return { id, run_id, system: parseStoredMessages(system) }
}

/** The turns of a locked conversation, newest first. */
export async function listRecentTurns(tx: Db, conversationId: string): Promise<PromptMessage[][]> {
  const rows = await tx
    .select({ messages: gatewayTurns.messages })
    .from(gatewayTurns)
    .where(and(eq(gatewayTurns.conversation_id, conversationId), isTurnRetained))
    .orderBy(desc(gatewayTurns.id))
    .limit(MAX_TURNS)
  return rows.map(({ messages }) => parseStoredMessages(messages))
}

/** Sets the run that continues a locked conversation. */
export async function setConversationRun(tx: Db, id: string, runId: string): Promise<void> {
  await tx.update(gatewayConversations).set({ run_id: runId }).where(eq(gatewayConversations.id, id))
}

type Turn = { conversation_id: string; system: PromptMessage[]; messages: PromptMessage[] }

/** Adds a turn, and deletes the oldest ones beyond the limits. Does nothing when the conversation is gone. */
export async function insertTurn(tx: Db, { conversation_id, system, messages }: Turn): Promise<void> {
  const rows = await tx
    .update(gatewayConversations)
    .set({ system: JSON.stringify(system), updated_at: sql`now()` })
    .where(eq(gatewayConversations.id, conversation_id))
    .returning({ id: gatewayConversations.id })
  if (!rows.length) return
  const text = JSON.stringify(messages)
  await tx
    .insert(gatewayTurns)
    .values({ id: createId(), conversation_id, messages: text, chars: text.length })
  await tx.execute(sql`
    DELETE FROM gateway_turns WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS rank, sum(chars) OVER newest AS total FROM gateway_turns
        WHERE conversation_id = ${conversation_id} WINDOW newest AS (ORDER BY id DESC)) AS turn
      WHERE rank > ${MAX_TURNS} OR (rank > 1 AND total > ${MAX_CHARS}))`)
}

type StoredReasoning = { account_id: string; user_id: string; call_key: string; reasoning: string }

/**
 * Remembers the reasoning before a call; the newest counts, where the same call was made before. Does nothing for a user whose
 * account was deleted meanwhile: other people's runs are settled in the same transaction, which must not fail for that.
 */
export async function upsertReasoning(tx: Db, row: StoredReasoning): Promise<void> {
  await tx.execute(sql`
    INSERT INTO gateway_reasoning (account_id, user_id, call_key, reasoning)
    SELECT ${row.account_id}::uuid, id, ${row.call_key}, ${row.reasoning} FROM users
    WHERE id = ${row.user_id}::uuid FOR KEY SHARE
    ON CONFLICT (account_id, call_key) DO UPDATE
    SET reasoning = excluded.reasoning, user_id = excluded.user_id, created_at = now()`)
}

export async function deleteReasoning(tx: Db, accountId: string, callKey: string): Promise<void> {
  await tx
    .delete(gatewayReasoning)
    .where(and(eq(gatewayReasoning.account_id, accountId), eq(gatewayReasoning.call_key, callKey)))
}

/** The reasoning of an account's models before these calls, by their keys. */
export async function listReasoning(
  db: Db,
  accountId: string,
  callKeys: string[],
): Promise<Map<string, string>> {
  const { call_key, reasoning } = gatewayReasoning
  const rows = await db
    .select({ call_key, reasoning })
    .from(gatewayReasoning)
    .where(
      and(
        eq(gatewayReasoning.account_id, accountId),
        inArray(call_key, callKeys),
        sql`NOT ${isReasoningExpired}`,
      ),
    )
  return new Map(rows.map((row) => [row.call_key, row.reasoning]))
}

/** Deletes completions, responses, conversations and reasoning whose time is over. */
export async function deleteExpired(db: Db): Promise<void> {
  await deleteExpiredResponses(db)
  await db.delete(gatewayReasoning).where(isReasoningExpired)
  await db.delete(gatewayCompletions).where(sql`NOT ${isCompletionRetained}`)
  await db.delete(gatewayTurns).where(sql`NOT ${isTurnRetained}`)
  await db
    .delete(gatewayConversations)
    .where(sql`${gatewayConversations.updated_at} < now() - interval '7 days'`)
}

/** A message as versions before `provider_options` wrote it; such messages are found for seven days after an update. */
type OldMessage = PromptMessage & { passed_on?: JsonObject; blocks?: JsonObject[] }

export const parseStoredMessages = (text: string): PromptMessage[] =>
  (JSON.parse(text) as OldMessage[]).map(parseStoredMessage)

function parseStoredMessage({ passed_on, blocks, ...message }: OldMessage): PromptMessage {
  if (!passed_on && !blocks) return message
  const providerOptions = {
    ...(passed_on ? { openai: passed_on } : {}),
    ...(blocks ? { anthropic: { blocks } } : {}),
  }
  return { ...message, provider_options: providerOptions }
}
