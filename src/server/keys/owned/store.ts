import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Param, Placeholder } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '#server/core/database/database.ts'
import type { apiKeys, provisionKeys } from '../tables.ts'

type KeyRef = { user_id: string; id: string }

/** Lets the transactions that count and make keys of a user go one after another. */
export async function lockKeys(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`keys:${userId}`}, 0))`)
}

/** What is the same for the rows of both kinds of keys. A deleted key is there for nobody. */
export function createOwnedKeys<T extends typeof apiKeys | typeof provisionKeys>(table: T) {
  const isNotDeleted = isNull(table.deleted_at)
  const ownedBy = (userId: string) => and(eq(table.user_id, userId), isNotDeleted)
  const isOwnedKey = ({ user_id, id }: KeyRef) => and(eq(table.id, id), ownedBy(user_id))
  /** Whether the last use was written over a minute ago. */
  const isStale = sql<boolean>`coalesce(${table.last_used_at} < now() - interval '1 minute', true)`

  const update = async (tx: Db, key: KeyRef, changes: PgUpdateSetSource<T>): Promise<boolean> => {
    const rows = await tx.update(table).set(changes).where(isOwnedKey(key)).returning({ id: table.id })
    return rows.length > 0
  }

  return {
    of: ownedBy,
    one: isOwnedKey,
    /** `token_hashes`: an array, as a parameter or the place of one. */
    byTokens: (tokenHashes: Param | Placeholder) =>
      and(sql`${table.token_hash} = ANY(${tokenHashes}::text[])`, isNotDeleted),
    stale: isStale,

    count: async (tx: Db, userId: string): Promise<number> => tx.$count(table, ownedBy(userId)),

    /** False when the user has no such key. */
    update,

    /** Ends a key and keeps its row, so that bills can still be named; false when the user has no such key. */
    remove: (tx: Db, key: KeyRef): Promise<boolean> =>
      update(tx, key, { status: false, deleted_at: new Date() } as PgUpdateSetSource<T>),

    /** Writes that a key was used, unless that was done within the last minute. */
    touch: async (db: Db, id: string): Promise<void> => {
      await db
        .update(table)
        .set({ last_used_at: sql`now()` })
        .where(and(eq(table.id, id), isStale))
    },
  }
}
