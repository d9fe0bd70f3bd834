import { getRequestListener } from '@hono/node-server'
import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAdminSocket } from './admin/socket.ts'
import { createApp } from './app.ts'
import { openAuth } from './auth/auth.ts'
import { chatKinds, openChat } from './chat/chat.ts'
import type { Config } from './core/config.ts'
import { openDatabase } from './core/database/open.ts'
import type { Database } from './core/database.ts'
import { migrate } from './core/database/migrate.ts'
import { openJobs } from './core/jobs.ts'
import type { Log } from './core/log.ts'
import { openMail } from './core/mail.ts'
import { openEndings, openGateway, sweepGateway } from './gateway/gateway.ts'
import type { Capacity, Gateway } from './gateway/gateway.ts'
import { openKeys } from './keys/keys.ts'
import { loadCatalogue } from './llm/catalogue.ts'
import { openLlm } from './llm/llm.ts'
import { openModels } from './models/models.ts'
import { openRuns } from './runs/runs.ts'
import { openSearch } from './search/search.ts'
import { readHousePrompts } from './prompts/house.ts'
import { openPrompts } from './prompts/prompts.ts'
import { openShares } from './shares/shares.ts'
import { openStats } from './stats/stats.ts'
import { openUsers } from './users/users.ts'
import { openVoice, VOICE_KIND } from './voice/voice.ts'

export type Server = {
  /** Where it listens, `http://127.0.0.1:3000`. */
  url: string
  database: Database
  /** Takes no more requests, ends what runs, and closes the database. */
  close(): Promise<void>
}

type Options = {
  config: Config
  log: Log
  env: NodeJS.ProcessEnv
  /** The database broke down: the process should end, so that a new one can begin. */
  onLost?: () => void
  /** Of the gateway, where it is not to be the usual one. */
  capacity?: Partial<Capacity>
}

/** Opens every part from the ground up and listens. Rejects when a part cannot be opened; nothing stays open then. */
export async function startServer({ config, log, env, onLost, capacity = {} }: Options): Promise<Server> {
  const catalogue = loadCatalogue({ file: config.models_file, env, log })
  const house = readHousePrompts(config.prompts_file)
  const database = await openDatabase({
    data_dir: config.data_dir,
    database_url: config.database_url,
    log,
    onLost,
  })
  const { db } = database
  await migrate(db)
  const llm = openLlm({ catalogue, log })
  const endings = openEndings()
  // A title is put in its place by the one who asked for it.
  const kinds = {
    ...chatKinds,
    title: () => null,
    gateway: endings.kind,
    [VOICE_KIND]: () => null,
  }
  const runs = openRuns({ db, llm, log, kinds, exclusive: database.kind === 'pglite' })
  const keys = openKeys({ db, log })
  const users = openUsers({
    db,
    config,
    defaultModel: () => catalogue.default_model(),
    isChatModel: (id) => catalogue.chatModels().some((model) => model.id === id),
    onNewAccount: keys.makeFirstKey,
  })
  const models = openModels({ catalogue, llm })
  const chat = openChat({ db, runs, catalogue, users, search: openSearch(config.search, log), config })
  const voice = openVoice({ runs, catalogue, users })
  const auth = openAuth({ db, config, users, mail: openMail(config, log), adoptGuest: chat.adoptGuest })
  const jobs = await openJobs(database, log)
  await jobs.define('sweep', async () => {
    await auth.sweep()
    await chat.sweep()
    await sweepGateway(db)
  })

  await runs.recover()
  const app = createApp({
    config,
    log,
    database,
    auth,
    users,
    chat,
    prompts: openPrompts({ db, house }),
    shares: openShares({ db, chat, users }),
    catalogue,
    models,
    stats: openStats(db),
    keys,
    voice,
  })
  const { trust_proxy } = config
  const gateway = openGateway({
    db,
    runs,
    endings,
    keys,
    catalogue,
    models,
    users,
    log,
    trust_proxy,
    capacity,
  })
  const server = await listen(app.fetch, gateway, config)
  const closeAdmin = openAdminSocket(config.data_dir, db, log)
  await jobs.start()
  await jobs.schedule('sweep', '17 * * * *')

  return {
    database,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await closeAdmin()
      await jobs.stop()
      // Readers are told how their runs ended before their connections go.
      await runs.stop()
      server.closeIdleConnections()
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2_000))])
      server.closeAllConnections()
      await gateway.close()
      catalogue.close()
      await database.close()
    },
  }
}

/** The gateway takes its requests ahead of the app. */
function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  gateway: Gateway,
  { port, host }: Config,
): Promise<HttpServer> {
  const app = getRequestListener(fetch)
  const server = createServer((request, response) => {
    if (!gateway.take(request, response)) void app(request, response)
  })
  // Else every client that asks before it sends a body is told to send it, also one that is too large.
  server.on('checkContinue', (request, response) => {
    if (gateway.take(request, response)) return
    response.writeContinue()
    void app(request, response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}
