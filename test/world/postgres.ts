import pg from 'pg'

/** A database of its own on a server of PostgreSQL. `drop` removes it. */
export type TestDatabase = { name: string; url: string; drop(): Promise<void> }

/** Runs one statement on a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** An empty database, or a copy of `template`, on the server of `url`; null without one. */
export async function createPostgresDatabase(
  url: string | undefined,
  template = 'template1',
): Promise<TestDatabase | null> {
  if (!url) return null
  const name = `wenqu_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`
  await runStatement(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const databaseUrl = new URL(url)
  databaseUrl.pathname = `/${name}`
  return {
    name,
    url: databaseUrl.href,
    drop: () => runStatement(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}
