import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Param, Placeholder } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '#server/core/database/database.ts'
import type { apiKeys, provisionKeys } from '../tables.ts'

type KeyRef = { user_id: string; id: string }

/** Makes the transactions that count and create keys of a user wait for each other. */
export async function lockKeys(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`keys:${userId}`}, 0))`)
}

/** Queries for the tables of both kinds of keys. Deleted keys are not found. */
export function createOwnedKeys<T extends typeof apiKeys | typeof provisionKeys>(table: T) {
  const isNotDeleted = isNull(table.deleted_at)
  const ownedBy = (userId: string) => and(eq(table.user_id, userId), isNotDeleted)
  const isOwnedKey = ({ user_id, id }: KeyRef) => and(eq(table.id, id), ownedBy(user_id))
  /** The last use was written over a minute ago, or never. */
  const isStale = sql<boolean>`coalesce(${table.last_used_at} < now() - interval '1 minute', true)`

  const update = async (tx: Db, key: KeyRef, changes: PgUpdateSetSource<T>): Promise<boolean> => {
    const rows = await tx.update(table).set(changes).where(isOwnedKey(key)).returning({ id: table.id })
    return rows.length > 0
  }

  return {
    of: ownedBy,
    one: isOwnedKey,
    /** `tokenHashes` is an array, as a parameter or its placeholder. */
    byTokens: (tokenHashes: Param | Placeholder) =>
      and(sql`${table.token_hash} = ANY(${tokenHashes}::text[])`, isNotDeleted),
    stale: isStale,

    count: async (tx: Db, userId: string): Promise<number> => tx.$count(table, ownedBy(userId)),

    /** False when the user has no such key. */
    update,

    /** Ends a key and keeps its row, so that bills can still be named; false when the user has no such key. */
    remove: (tx: Db, key: KeyRef): Promise<boolean> =>
      update(tx, key, { status: false, deleted_at: new Date() } as PgUpdateSetSource<T>),

    /** Writes that a key was used, unless a use was written within the last minute. */
    touch: async (db: Db, id: string): Promise<void> => {
      await db
        .update(table)
        .set({ last_used_at: sql`now()` })
        .where(and(eq(table.id, id), isStale))
    },
  }
}
