import type { AddressInfo } from 'node:net'
import { openAdminSocket } from '#server/admin/socket.ts'
import { loadSeedAgents, seedAgents } from '#server/assistants/agents/agents.ts'
import type { Assistants } from '#server/conversations/conversations.ts'
import { DEFAULT_CAPACITY } from '#server/core/capacity.ts'
import type { Capacity } from '#server/core/capacity.ts'
import type { Config } from '#server/core/config.ts'
import type { Database } from '#server/core/database/database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createEgress } from '#server/core/egress/egress.ts'
import type { Egress } from '#server/core/egress/egress.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import type { Log } from '#server/core/log.ts'
import { loadCatalogue } from '#server/llm/llm.ts'
import { createApp, createWorkerApp } from './app.ts'
import { createFeatures } from './features.ts'
import { listen } from './listen.ts'

export type Server = {
  /** The address it listens on, `http://127.0.0.1:3000`. */
  url: string
  database: Database
  /** Accepts no more requests, ends what runs, and closes the database. */
  close(): Promise<void>
}

type Options = {
  config: Config
  log: Log
  env: NodeJS.ProcessEnv
  /** The database, if it is being opened already. */
  opening?: Promise<Database>
  /** Differences from the usual capacity. */
  capacity?: Partial<Capacity>
  /** Channel type → its assistant, besides or instead of the product's own. */
  assistants?: Assistants
  /** Follows people's links, if not to the public internet. */
  egress?: Egress
}

/**
 * Size of the blocks that Node allocates for small Buffers. One small Buffer keeps its whole block in memory, and those of a
 * stream, its request and its head, live as long as it does. Node's own 64 kB would be up to 128 kB for each stream.
 */
const BUFFER_POOL_BYTES = 8_192

/** Opens every part from the ground up and listens. Rejects when a part cannot be opened; nothing stays open then. */
export async function startServer(options: Options): Promise<Server> {
  const { config, log, env, assistants = {}, egress = createEgress() } = options
  Buffer.poolSize = BUFFER_POOL_BYTES
  const capacity = { ...DEFAULT_CAPACITY, ...options.capacity }
  const catalogue = loadCatalogue({ file: config.models_file, env, log })
  const seed = loadSeedAgents(config.agents_file)
  const database = await (options.opening ?? openDatabase({ ...config, log }))
  const { db } = database
  await migrate(db)
  const jobs = await createJobQueue(database, log)
  const features = createFeatures({ config, capacity, log, database, catalogue, jobs, egress, assistants })
  const { list, runs, tasks, users, blocks, files, credit } = features
  await tasks.prepare()
  await jobs.define('credit', () => credit.sweep())
  await jobs.define('sweep', async () => {
    for (const feature of list) await feature.sweep?.()
  })
  await runs.recover()
  await users.noteFirstCoins()

  const [serves, works] = [config.role !== 'worker', config.role !== 'web']
  const app = serves
    ? createApp({ config, capacity, log, database, features })
    : createWorkerApp(log, database)
  const handlers = serves ? list.flatMap(({ tryHandle }) => tryHandle ?? []) : []
  const server = await listen({ fetch: app.fetch, handlers, isUpload: files.isUpload }, config, capacity)
  const closeAdmin = serves ? openAdminSocket(config.data_dir, { db, credit }, log) : async () => {}
  if (works) {
    await jobs.start()
    // Payments may have arrived while no process ran.
    await jobs.send('credit', {})
    await tasks.start()
  }
  // Not awaited: the first start has enough to do.
  const seeding =
    works && seed
      ? seedAgents({ db, blocks, users }, seed).catch((err: unknown) =>
          log.warn({ err }, 'making the public agents failed, the next start tries again'),
        )
      : undefined
  await jobs.schedule('sweep', '17 * * * *')
  await jobs.schedule('credit', '* * * * *')

  return {
    database,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await closeAdmin()
      await seeding
      await jobs.stop()
      await tasks.stop()
      // Readers learn the end of their runs before their connections close.
      await runs.stop()
      server.closeIdleConnections()
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2_000))])
      server.closeAllConnections()
      await Promise.all(list.map(async (feature) => feature.close?.()))
      catalogue.close()
      await database.close()
    },
  }
}
