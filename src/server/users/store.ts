import { eq } from 'drizzle-orm'
import type { Db } from '../core/database.ts'
import { users } from './tables.ts'

export type User = typeof users.$inferSelect

export async function userById(db: Db, id: string): Promise<User | undefined> {
  return (await db.select().from(users).where(eq(users.id, id)))[0]
}

export async function userByEmail(db: Db, email: string): Promise<User | undefined> {
  return (await db.select().from(users).where(eq(users.email, email)))[0]
}

/** Inserts a user; undefined when its e-mail is taken. */
export async function insertUser(tx: Db, user: typeof users.$inferInsert): Promise<User | undefined> {
  return (await tx.insert(users).values(user).onConflictDoNothing({ target: users.email }).returning())[0]
}

export async function updateUser(tx: Db, id: string, changes: Partial<User>): Promise<void> {
  await tx.update(users).set(changes).where(eq(users.id, id))
}
