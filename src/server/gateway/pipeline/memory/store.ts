import { and, desc, eq, sql } from 'drizzle-orm'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { PromptMessage } from '#server/llm/llm.ts'
import { gatewayConversations, gatewayTurns } from '../../tables.ts'

/** What is remembered of a conversation at most: its newest turns, the newest of all whatever its size. */
const MAX_TURNS = 100
const MAX_CHARS = 1_000_000

const isRetained = sql`${gatewayTurns.created_at} > now() - interval '7 days'`

export type Conversation = { id: string; run_id: string | null; system: PromptMessage[] }

/** The conversation of a key under a name, made when there is none; locked until the transaction ends. */
export async function lockConversation(
  tx: Db,
  owner: { user_id: string; key_id: string },
  sess_id: string,
): Promise<Conversation> {
  const { key_id } = gatewayConversations
  const [row] = await tx
    .insert(gatewayConversations)
    .values({ id: createId(), ...owner, sess_id })
    .onConflictDoUpdate({
      target: [key_id, gatewayConversations.sess_id],
      set: { updated_at: sql`now()` },
    })
    .returning()
  const { id, run_id, system } = row!
  return { id, run_id, system: JSON.parse(system) as PromptMessage[] }
}

/** The turns of a conversation that is locked, newest first. */
export async function listRecentTurns(tx: Db, conversation_id: string): Promise<PromptMessage[][]> {
  const rows = await tx
    .select({ messages: gatewayTurns.messages })
    .from(gatewayTurns)
    .where(and(eq(gatewayTurns.conversation_id, conversation_id), isRetained))
    .orderBy(desc(gatewayTurns.id))
    .limit(MAX_TURNS)
  return rows.map(({ messages }) => JSON.parse(messages) as PromptMessage[])
}

/** Says which run goes on with a conversation that is locked. */
export async function setRun(tx: Db, id: string, run_id: string): Promise<void> {
  await tx.update(gatewayConversations).set({ run_id }).where(eq(gatewayConversations.id, id))
}

type Turn = { conversation_id: string; system: PromptMessage[]; messages: PromptMessage[] }

/** Adds a turn; what then is too much is forgotten, the oldest first. Nothing, when the conversation is gone. */
export async function insertTurn(tx: Db, { conversation_id, system, messages }: Turn): Promise<void> {
  const found = await tx
    .update(gatewayConversations)
    .set({ system: JSON.stringify(system), updated_at: sql`now()` })
    .where(eq(gatewayConversations.id, conversation_id))
    .returning({ id: gatewayConversations.id })
  if (!found.length) return
  const text = JSON.stringify(messages)
  await tx
    .insert(gatewayTurns)
    .values({ id: createId(), conversation_id, messages: text, chars: text.length })
  await tx.execute(sql`
    DELETE FROM gateway_turns WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS nth, sum(chars) OVER newest AS total FROM gateway_turns
        WHERE conversation_id = ${conversation_id} WINDOW newest AS (ORDER BY id DESC)) AS turn
      WHERE nth > ${MAX_TURNS} OR (nth > 1 AND total > ${MAX_CHARS}))`)
}

export async function sweepConversations(db: Db): Promise<void> {
  await db.delete(gatewayTurns).where(sql`NOT ${isRetained}`)
  await db
    .delete(gatewayConversations)
    .where(sql`${gatewayConversations.updated_at} < now() - interval '7 days'`)
}
