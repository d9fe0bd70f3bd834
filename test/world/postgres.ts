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

/** Creates an empty database, or a copy of `template`, on the server of `url`; null without one. */
export async function createPostgresDatabase(
  url: string | undefined,
  template = 'template1',
): Promise<TestDatabase | null> {
  if (!url) return null
  const unique = `${process.pid}_${Math.floor(Math.random() * 1e9)}`
  const name = template === 'template1' ? `wenqu_test_${unique}` : `${template}_${unique}`
  await runStatement(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const databaseUrl = new URL(url)
  databaseUrl.pathname = `/${name}`
  return {
    name,
    url: databaseUrl.href,
    drop: () => runStatement(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Drops a database and all its copies, whose owners may have been killed. */
export async function dropWithCopies({ name, url }: TestDatabase): Promise<void> {
  // A connection cannot drop its own database.
  const server = new URL(url)
  server.pathname = '/template1'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [name],
    )
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  } finally {
    await client.end()
  }
}
