import { and, desc, eq } from 'drizzle-orm'
import type { PromptFields } from '#contract/prompts.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { prompts } from './tables.ts'

export type PromptRow = typeof prompts.$inferSelect

const ownedPrompt = (user_id: string, id: string) => and(eq(prompts.id, id), eq(prompts.user_id, user_id))

/** All prompts of a user, the latest first. */
export async function listPrompts(db: Db, user_id: string): Promise<PromptRow[]> {
  return db.select().from(prompts).where(eq(prompts.user_id, user_id)).orderBy(desc(prompts.id))
}

export async function countPrompts(db: Db, user_id: string): Promise<number> {
  return db.$count(prompts, eq(prompts.user_id, user_id))
}

export async function insertPrompt(db: Db, user_id: string, fields: PromptFields): Promise<PromptRow> {
  return (
    await db
      .insert(prompts)
      .values({ id: createId(), user_id, ...fields })
      .returning()
  )[0]!
}

/** Changes the named fields of a user's prompt, of which there is at least one; undefined for one that is not there. */
export async function updatePrompt(
  db: Db,
  user_id: string,
  id: string,
  changes: Partial<PromptFields>,
): Promise<PromptRow | undefined> {
  return (await db.update(prompts).set(changes).where(ownedPrompt(user_id, id)).returning())[0]
}

export async function findPrompt(db: Db, user_id: string, id: string): Promise<PromptRow | undefined> {
  return (await db.select().from(prompts).where(ownedPrompt(user_id, id)))[0]
}

export async function deletePrompt(db: Db, user_id: string, id: string): Promise<boolean> {
  return (await db.delete(prompts).where(ownedPrompt(user_id, id)).returning({ id: prompts.id })).length === 1
}
