import { startDatabaseThread } from '#server/core/database/database-thread.ts'

// Under `npm run dev`, threads and processes would report their files to Node on the channel of their answers.
delete process.env.WATCH_REPORT_DEPENDENCIES
// The slowest part begins first: the thread of the embedded database starts up while all other code is loaded.
const thread = process.env.DATABASE_URL ? undefined : startDatabaseThread()
const { run } = await import('./run.ts')
await run(thread)
