import type { Db } from './database.ts'

/**
 * A statement that is sent all the time. It has a name, so that each connection parses and plans it once, and its text is put
 * together once for the pool.
 */
export function createPreparedQuery<Query>(create: (db: Db) => Query): (db: Db) => Query {
  const created = new WeakMap<Db, Query>()
  return (db) => {
    const query = created.get(db) ?? create(db)
    created.set(db, query)
    return query
  }
}
