import { and, desc, eq } from 'drizzle-orm'
import type { PromptFields } from '#contract/prompts.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { prompts } from './tables.ts'

export type PromptRow = typeof prompts.$inferSelect

const ownedPrompt = (userId: string, id: string) => and(eq(prompts.id, id), eq(prompts.user_id, userId))

/** Lists all prompts of a user, the latest first. */
export async function listPrompts(db: Db, userId: string): Promise<PromptRow[]> {
  return db.select().from(prompts).where(eq(prompts.user_id, userId)).orderBy(desc(prompts.id))
}

export async function countPrompts(db: Db, userId: string): Promise<number> {
  return db.$count(prompts, eq(prompts.user_id, userId))
}

export async function insertPrompt(db: Db, userId: string, fields: PromptFields): Promise<PromptRow> {
  return (
    await db
      .insert(prompts)
      .values({ id: createId(), user_id: userId, ...fields })
      .returning()
  )[0]!
}

/** Changes the given fields (at least one) of a user's prompt; undefined if there is no such prompt. */
export async function updatePrompt(
  db: Db,
  userId: string,
  id: string,
  changes: Partial<PromptFields>,
): Promise<PromptRow | undefined> {
  return (await db.update(prompts).set(changes).where(ownedPrompt(userId, id)).returning())[0]
}

export async function findPrompt(db: Db, userId: string, id: string): Promise<PromptRow | undefined> {
  return (await db.select().from(prompts).where(ownedPrompt(userId, id)))[0]
}

export async function deletePrompt(db: Db, userId: string, id: string): Promise<boolean> {
  return (await db.delete(prompts).where(ownedPrompt(userId, id)).returning({ id: prompts.id })).length === 1
}
