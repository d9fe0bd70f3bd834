import { startDatabaseThread } from '#server/core/database/database-thread.ts'
import { resolveQuickly } from './module-resolution.ts'

// Under `npm run dev` threads and processes would tell Node their files by the way on which they answer.
delete process.env.WATCH_REPORT_DEPENDENCIES
// What takes longest begins first: the thread of the embedded database gets ready while all other code is read.
const thread = process.env.DATABASE_URL ? undefined : startDatabaseThread()
resolveQuickly()
const { run } = await import('./run.ts')
await run(thread)
