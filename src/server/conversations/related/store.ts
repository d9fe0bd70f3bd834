import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { chatMessages } from '../tables.ts'

/**
 * Whether it falls to the caller to make the questions that could follow an answer: they are not there, and nobody else
 * has been at it for the last minute.
 */
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

/** Keeps the questions that were made for answers. */
export async function saveRelated(tx: Db, generated: { id: string; prompts: string[] }[]): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_messages m SET related_prompts = e.prompts
    FROM json_to_recordset(${JSON.stringify(generated)}::json) AS e(id uuid, prompts jsonb) WHERE m.id = e.id`)
}
