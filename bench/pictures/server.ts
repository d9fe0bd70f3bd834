import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { startServer } from '#server/start.ts'

// The app as a process of its own, with the capacity of BENCH_CAPACITY. It ends with its parent.

const { env } = process
const server = await startServer({
  config: readConfig(env),
  log: createLog('error'),
  env,
  capacity: JSON.parse(env['BENCH_CAPACITY'] ?? '{}') as object,
})
process.on('disconnect', () => process.exit())
process.send!(server.url)
