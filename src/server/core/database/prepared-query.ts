import type { Db } from './database.ts'

/**
 * Makes a statement that is sent often. It has a name, so that each connection parses and plans it once, and its text is built
 * once for the pool.
 */
export function createPreparedQuery<Query>(create: (db: Db) => Query): (db: Db) => Query {
  const created = new WeakMap<Db, Query>()
  return (db) => {
    const query = created.get(db) ?? create(db)
    created.set(db, query)
    return query
  }
}
