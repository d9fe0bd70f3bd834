import { createAccount } from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import { createAuth } from '#server/accounts/auth/auth.ts'
import { createKeys } from '#server/accounts/keys/keys.ts'
import { createOrganizations, getOrganizationInfo } from '#server/accounts/organizations/organizations.ts'
import { createUsers } from '#server/accounts/users/users.ts'
import {
  createAgents,
  createAnswering,
  createWidgets,
  unshareAgents,
} from '#server/assistants/agents/agents.ts'
import { createCompare } from '#server/assistants/compare/compare.ts'
import { createChatAssistant } from '#server/assistants/general/general.ts'
import { createGlossary, createTranslate } from '#server/assistants/translate/translate.ts'
import { createCredit, hasPaid } from '#server/commerce/credit/credit.ts'
import { createStatistics } from '#server/commerce/statistics/statistics.ts'
import { createConversations } from '#server/conversations/conversations.ts'
import type { Assistants } from '#server/conversations/conversations.ts'
import { loadBuiltInPrompts } from '#server/conversations/prompts/built-in.ts'
import { createPrompts } from '#server/conversations/prompts/prompts.ts'
import { createShares } from '#server/conversations/shares/shares.ts'
import { createVoice } from '#server/conversations/voice/voice.ts'
import { createWebSearch } from '#server/conversations/web-search/web-search.ts'
import type { Capacity } from '#server/core/capacity.ts'
import { toMicroCoins } from '#server/core/coins.ts'
import type { Config } from '#server/core/config.ts'
import type { Database } from '#server/core/database/database.ts'
import type { Egress } from '#server/core/egress/egress.ts'
import type { JobQueue } from '#server/core/jobs.ts'
import { createLimitAlerts } from '#server/core/limits/alerts.ts'
import type { Log } from '#server/core/log.ts'
import { createMailer } from '#server/core/mail.ts'
import { createBlocks, createPictureRoom } from '#server/documents/blocks/blocks.ts'
import { createKnowledge } from '#server/documents/knowledge/knowledge.ts'
import { createFiles } from '#server/files/files.ts'
import { createRecordingMeter } from '#server/formats/formats.ts'
import { createCompletionHooks, createGateway, createProtocols } from '#server/gateway/gateway.ts'
import { createProgramAnswers } from '#server/assistants/agents/program-answers.ts'
import { createLlm, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { createModels } from '#server/models/models.ts'
import { createNotifications, loadReleases, notifyOfTask } from '#server/notifications/notifications.ts'
import { createRuns } from '#server/runs/runs.ts'
import type { CompletionHooks } from '#server/runs/runs.ts'
import { createTasks } from '#server/tasks/tasks.ts'
import type { Feature } from './feature.ts'

/** Receives what the list of features adds to parts that are created before it; it is filled before the first request. */
export type Registry = {
  completionHooks: CompletionHooks
  assistants: Assistants
  archiveParts: ArchivePart[]
  guestMerges: NonNullable<Feature['mergeGuest']>[]
}

export type Ground = {
  config: Config
  capacity: Capacity
  log: Log
  database: Database
  catalogue: Catalogue
  jobs: JobQueue
  /** Follows people's links. */
  egress: Egress
}

/** Creates the parts of the product from the ground up: each gets those below it that it uses. */
export function createParts(ground: Ground & { registry: Registry }) {
  const { config, capacity, log, database, catalogue, jobs, egress, registry } = ground
  const { db } = database
  const { trust_proxy } = config
  const exclusive = database.kind === 'pglite'
  const alert = createLimitAlerts(log)
  const llm = createLlm({ catalogue, log })
  const mailer = createMailer(config, log)
  const { completionHooks, assistants, archiveParts, guestMerges } = registry

  const runs = createRuns({
    db,
    llm,
    log,
    max_given: toMicroCoins(config.given_coins_total),
    alert,
    completion_hooks: completionHooks,
    exclusive,
  })
  const tasks = createTasks({ db, jobs, log, exclusive, onExecuted: notifyOfTask })
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
  const notifications = createNotifications({ db, releases: loadReleases() })
  const models = createModels({ catalogue, llm })
  const search = createWebSearch(config.search, log)
  const recordings = createRecordingMeter()
  const files = createFiles({ db, config, users, log })
  const { embedding_model, rerank_model } = config
  const knowledge = createKnowledge({ db, tasks, runs, catalogue, log, embedding_model, rerank_model })
  const pictures = createPictureRoom(capacity)
  const blocks = createBlocks({ db, files, tasks, egress, knowledge, pictures, runs, catalogue, recordings })
  const translate = createTranslate({ db, tasks, blocks, runs, catalogue })
  const glossary = createGlossary(db)
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
  const widgets = createWidgets({ db, app_secret: config.app_secret })
  const general = createChatAssistant({ users, search, blocks, limits: config })
  const { title_model } = config
  const conversations = createConversations({ db, runs, catalogue, title_model, assistants })
  const compare = createCompare({ db, conversations, catalogue })
  const prompts = createPrompts({ db, built_in: loadBuiltInPrompts(config.prompts_file) })
  const voice = createVoice({ runs, catalogue, users })
  const shares = createShares({ db, conversations, users, findPublicAgent: (id) => agents.findPublic(id) })
  const statistics = createStatistics({ db, catalogue })
  const credit = createCredit({ db, config, log, mailer })
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
      for (const mergeGuest of guestMerges) await mergeGuest(tx, guestId, userId)
    },
    requireWidget: widgets.require,
  })
  const account = createAccount({
    db,
    auth,
    users,
    organizations,
    tasks,
    runs,
    listArchiveParts: () => archiveParts,
  })
  const gatewayHooks = createCompletionHooks()
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

  return {
    runs,
    tasks,
    keys,
    users,
    notifications,
    models,
    search,
    recordings,
    files,
    blocks,
    translate,
    glossary,
    answering,
    agents,
    widgets,
    general,
    conversations,
    compare,
    prompts,
    voice,
    shares,
    statistics,
    credit,
    organizations,
    auth,
    account,
    gatewayHooks,
    gateway,
  }
}
