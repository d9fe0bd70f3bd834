import type { AddressInfo } from 'node:net'
import { BLOCK, COMPARE, DATI, FANYI, ZHIKU } from '#contract/chatbot.ts'
import { createAccount } from '#server/accounts/account/account.ts'
import {
  createAgents,
  createAnswering,
  createWidgets,
  loadSeedAgents,
  seedAgents,
  unshareAgents,
} from '#server/assistants/agents/agents.ts'
import { createAgentAssistant } from '#server/assistants/agents/assistant.ts'
import { createProgramAnswers } from '#server/assistants/agents/program-answers.ts'
import { openAdminSocket } from '#server/admin/socket.ts'
import { createApp, createWorkerApp } from './app.ts'
import { listen } from './listen.ts'
import type { RequestHandler } from './listen.ts'
import { createAgentArchive } from '#server/assistants/agents/archive.ts'
import { createGlossaryArchive } from '#server/assistants/translate/glossary/archive.ts'
import { createStatisticsArchive } from '#server/commerce/statistics/archive.ts'
import { createConversationArchive } from '#server/conversations/archive.ts'
import { createPromptArchive } from '#server/conversations/prompts/archive.ts'
import { createBlockArchive } from '#server/documents/blocks/archive.ts'
import { createAuth } from '#server/accounts/auth/auth.ts'
import { createBlockAssistant } from '#server/documents/blocks/assistant.ts'
import {
  createBlocks,
  createPictureRoom,
  saveSummaries,
  saveTranscripts,
} from '#server/documents/blocks/blocks.ts'
import { createChatAssistant, sweepGuestTurns } from '#server/assistants/general/general.ts'
import { createCredit, hasPaid } from '#server/commerce/credit/credit.ts'
import { createCompareAssistant } from '#server/assistants/compare/assistant.ts'
import { createCompare } from '#server/assistants/compare/compare.ts'
import { DEFAULT_CAPACITY } from '#server/core/capacity.ts'
import type { Capacity } from '#server/core/capacity.ts'
import type { Config } from '#server/core/config.ts'
import { conversationCompletionHooks, createConversations } from '#server/conversations/conversations.ts'
import type { Assistants } from '#server/conversations/conversations.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import type { Database } from '#server/core/database/database.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { toMicroCoins } from '#server/core/coins.ts'
import { createEgress } from '#server/core/egress/egress.ts'
import type { Egress } from '#server/core/egress/egress.ts'
import { createFiles } from '#server/files/files.ts'
import { createTasks } from '#server/tasks/tasks.ts'
import { createJobQueue } from '#server/core/jobs.ts'
import type { Log } from '#server/core/log.ts'
import { createLimitAlerts } from '#server/core/limits/alerts.ts'
import { sweepUses } from '#server/core/limits/limits.ts'
import { createMailer } from '#server/core/mail.ts'
import {
  createCompletionHooks,
  createGateway,
  createProtocols,
  sweepGateway,
} from '#server/gateway/gateway.ts'
import { createKnowledge, saveEmbeddings } from '#server/documents/knowledge/knowledge.ts'
import { createKeys } from '#server/accounts/keys/keys.ts'
import { createRecordingMeter } from '#server/formats/formats.ts'
import { createLlm, loadCatalogue, requireModelAccess } from '#server/llm/llm.ts'
import { createMessages, loadReleases, notifyOfTask } from '#server/notifications/notifications.ts'
import { createOrganizations, getOrganizationInfo } from '#server/accounts/organizations/organizations.ts'
import { createModels } from '#server/models/models.ts'
import { createRuns } from '#server/runs/runs.ts'
import { createWebSearch } from '#server/conversations/web-search/web-search.ts'
import { loadBuiltInPrompts } from '#server/conversations/prompts/built-in.ts'
import { createPrompts } from '#server/conversations/prompts/prompts.ts'
import { createShares } from '#server/conversations/shares/shares.ts'
import { createStatistics } from '#server/commerce/statistics/statistics.ts'
import { createStats } from '#server/models/stats.ts'
import { createUsers } from '#server/accounts/users/users.ts'
import {
  completeTranslations,
  createGlossary,
  createTranslate,
  createTranslateAssistant,
} from '#server/assistants/translate/translate.ts'
import { createVoice } from '#server/conversations/voice/voice.ts'

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
  const builtIn = loadBuiltInPrompts(config.prompts_file)
  const releases = loadReleases()
  const seed = loadSeedAgents(config.agents_file)
  const database = await (options.opening ?? openDatabase({ ...config, log }))
  const { db } = database
  await migrate(db)
  const alert = createLimitAlerts(log)
  const llm = createLlm({ catalogue, log })
  const gatewayHooks = createCompletionHooks()
  const runs = createRuns({
    db,
    llm,
    log,
    max_given: toMicroCoins(config.given_coins_total),
    alert,
    // Speech and retrieval leave only a bill; the text of a picture is stored by the caller that waits for it.
    completion_hooks: {
      ...conversationCompletionHooks,
      voice: null,
      transcript: () => saveTranscripts,
      reading: null,
      summary: () => saveSummaries,
      // The caller waits for them.
      agent_prompts: null,
      rewrite: null,
      indexing: () => saveEmbeddings,
      retrieval: null,
      translation: () => completeTranslations,
      gateway: gatewayHooks.kind,
    },
    exclusive: database.kind === 'pglite',
  })
  const keys = createKeys({ db, log })
  const users = createUsers({
    db,
    alert,
    config,
    defaultModel: () => catalogue.getDefaultModel(),
    requireChatModel: (id) => void requireModelAccess(catalogue, id, { type: 'chat', listed: true }),
    onNewAccount: keys.makeFirstKey,
    getOrganization: (userId) => getOrganizationInfo(db, userId),
  })
  const messages = createMessages({ db, releases })
  const models = createModels({ catalogue, llm })
  const search = createWebSearch(config.search, log)
  const jobs = await createJobQueue(database, log)
  const tasks = createTasks({
    db,
    jobs,
    log,
    exclusive: database.kind === 'pglite',
    onExecuted: notifyOfTask,
  })
  const recordings = createRecordingMeter()
  const files = createFiles({ db, config, users, log })
  const knowledge = createKnowledge({
    db,
    tasks,
    runs,
    catalogue,
    log,
    embedding_model: config.embedding_model,
    rerank_model: config.rerank_model,
  })
  const blocks = createBlocks({
    db,
    files,
    tasks,
    egress,
    knowledge,
    pictures: createPictureRoom(capacity),
    runs,
    catalogue,
    recordings,
  })
  const translate = createTranslate({ db, tasks, blocks, runs, catalogue })
  const answering = createAnswering({ knowledge, runs, catalogue, search })
  const agents = createAgents({
    db,
    tasks,
    blocks,
    knowledge,
    answering,
    files,
    users,
    runs,
    catalogue,
    removeConversations: (userId, chatbot) => conversations.sessions.removeAll(userId, chatbot),
  })
  const general = createChatAssistant({ users, search, blocks, limits: config })
  const widgets = createWidgets({ db, app_secret: config.app_secret })
  const conversations = createConversations({
    db,
    runs,
    catalogue,
    title_model: config.title_model,
    assistants: {
      [DATI]: general,
      [COMPARE]: createCompareAssistant({ general, catalogue }),
      [BLOCK]: createBlockAssistant({ blocks, users }),
      [ZHIKU]: createAgentAssistant({ agents, answering, widgets, blocks, users }),
      [FANYI]: createTranslateAssistant({ db, users, catalogue, translate }),
      ...assistants,
    },
  })
  const compare = createCompare({ db, conversations, catalogue })
  const voice = createVoice({ runs, catalogue, users })
  const mailer = createMailer(config, log)
  const organizations = createOrganizations({
    db,
    log,
    mailer,
    users,
    hasPaid,
    config,
    defineLogos: files.definePictures,
    onLeave: unshareAgents,
  })
  const auth = createAuth({
    db,
    config,
    alert,
    users,
    mail: mailer,
    async mergeGuest(tx, guestId, userId) {
      await conversations.mergeGuest(tx, guestId, userId)
      await compare.mergeGuest(tx, guestId, userId)
    },
    requireWidget: widgets.require,
  })
  await tasks.prepare()
  const credit = createCredit({ db, config, log, mailer })
  await jobs.define('credit', () => credit.sweep())
  await jobs.define('sweep', async () => {
    await auth.sweep()
    await sweepGuestTurns(db)
    await sweepUses(db)
    await conversations.indexOldMessages()
    await sweepGateway(db)
    await tasks.sweep()
    await messages.sweep()
    await translate.sweep()
    await files.sweep()
    await organizations.sweep()
  })

  await runs.recover()
  await users.noteFirstCoins()
  const prompts = createPrompts({ db, built_in: builtIn })
  const glossary = createGlossary(db)
  const statistics = createStatistics({ db, catalogue })
  const app = createApp({
    config,
    capacity,
    log,
    database,
    auth,
    users,
    account: createAccount({
      db,
      auth,
      users,
      archiveParts: [
        createAgentArchive(agents),
        createBlockArchive(blocks),
        createPromptArchive(prompts),
        createGlossaryArchive(glossary),
        createStatisticsArchive(statistics),
        createConversationArchive(conversations),
      ],
      organizations,
      tasks,
      runs,
    }),
    messages,
    conversations,
    compare,
    prompts,
    shares: createShares({ db, conversations, users, findPublicAgent: (id) => agents.findPublic(id) }),
    catalogue,
    models,
    stats: createStats(db),
    keys,
    voice,
    files,
    blocks,
    agents,
    answering,
    widgets,
    tasks,
    translate,
    glossary,
    credit,
    organizations,
    statistics,
  })
  const { trust_proxy } = config
  const gateway = createGateway({
    db,
    runs,
    completion_hooks: gatewayHooks,
    keys,
    catalogue,
    models,
    users,
    recordings,
    protocols: createProtocols(createProgramAnswers({ db, agents, answering })),
    log,
    trust_proxy,
    capacity,
  })
  const [serves, works] = [config.role !== 'worker', config.role !== 'web']
  const handlers: RequestHandler[] = serves
    ? [(request, response) => gateway.tryHandle(request, response), files.tryHandle]
    : []
  const { fetch } = serves ? app : createWorkerApp(log, database)
  const server = await listen({ fetch, handlers, isUpload: files.isUpload }, config, capacity)
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
      await Promise.all([gateway.close(), recordings.close()])
      catalogue.close()
      await database.close()
    },
  }
}
