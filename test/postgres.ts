import pg from 'pg'

/** An empty database of its own on the server of `url`, or null without one. `drop` removes it. */
export async function emptyDatabase(
  url: string | undefined,
): Promise<{ url: string; drop(): Promise<void> } | null> {
  if (!url) return null
  const name = `wenqu_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`CREATE DATABASE ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
