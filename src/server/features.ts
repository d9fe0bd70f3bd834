import { BLOCK, COMPARE, DATI, FANYI, ZHIKU } from '#contract/chatbot.ts'
import type { CallGroupName } from '#contract/calls.ts'
import type { PageWithProps } from '#contract/pages.ts'
import { accountRoutes } from '#server/accounts/account/routes.ts'
import {
  authRoutes,
  mountSignOut,
  mountWechatCallback,
  redirectSignedIn,
} from '#server/accounts/auth/routes.ts'
import { keyRoutes, provisionKeyRoutes } from '#server/accounts/keys/routes.ts'
import { organizationRoutes } from '#server/accounts/organizations/routes.ts'
import { userRoutes } from '#server/accounts/users/routes.ts'
import { createAgentArchive } from '#server/assistants/agents/archive.ts'
import { createAgentAssistant } from '#server/assistants/agents/assistant.ts'
import { agentRoutes, widgetRoutes } from '#server/assistants/agents/routes.ts'
import { mountWidget, showWidget } from '#server/assistants/agents/widget-page.ts'
import { createCompareAssistant } from '#server/assistants/compare/assistant.ts'
import { compareRoutes } from '#server/assistants/compare/routes.ts'
import { sweepGuestTurns } from '#server/assistants/general/general.ts'
import { createGlossaryArchive } from '#server/assistants/translate/glossary/archive.ts'
import { glossaryRoutes, translateRoutes } from '#server/assistants/translate/routes.ts'
import { completeTranslations, createTranslateAssistant } from '#server/assistants/translate/translate.ts'
import { creditRoutes, sandboxRoutes } from '#server/commerce/credit/routes.ts'
import { createStatisticsArchive } from '#server/commerce/statistics/archive.ts'
import { statisticsRoutes } from '#server/commerce/statistics/routes.ts'
import { createConversationArchive } from '#server/conversations/archive.ts'
import { conversationCompletionHooks } from '#server/conversations/conversations.ts'
import type { Assistants } from '#server/conversations/conversations.ts'
import { folderRoutes } from '#server/conversations/folders/routes.ts'
import { feedbackRoutes } from '#server/conversations/messages/routes.ts'
import { createPromptArchive } from '#server/conversations/prompts/archive.ts'
import { promptRoutes } from '#server/conversations/prompts/routes.ts'
import { chatRoutes } from '#server/conversations/routes.ts'
import { sessionRoutes } from '#server/conversations/sessions/routes.ts'
import { describeShare } from '#server/conversations/shares/link-preview.ts'
import { shareRoutes } from '#server/conversations/shares/routes.ts'
import { voiceRoutes } from '#server/conversations/voice/routes.ts'
import { sweepUses } from '#server/core/limits/limits.ts'
import { readOutbox } from '#server/core/mail.ts'
import { createBlockArchive } from '#server/documents/blocks/archive.ts'
import { createBlockAssistant } from '#server/documents/blocks/assistant.ts'
import { saveSummaries, saveTranscripts } from '#server/documents/blocks/blocks.ts'
import { blockRoutes } from '#server/documents/blocks/routes.ts'
import { saveEmbeddings } from '#server/documents/knowledge/knowledge.ts'
import { fileRoutes, mountFiles, mountPictures } from '#server/files/routes.ts'
import { sweepGateway } from '#server/gateway/gateway.ts'
import { modelRoutes } from '#server/models/routes.ts'
import { statsRoutes } from '#server/models/stats-routes.ts'
import { createStats } from '#server/models/stats.ts'
import { notificationRoutes } from '#server/notifications/routes.ts'
import type { CompletionHooks, RunKind } from '#server/runs/runs.ts'
import { taskRoutes } from '#server/tasks/tasks.ts'
import type { Feature } from './feature.ts'
import { createParts } from './parts.ts'
import type { Ground, Registry } from './parts.ts'

export type Features = ReturnType<typeof createFeatures>

type KeysOfEach<T> = T extends unknown ? keyof T : never
/** Names that one of the features has under `Key`. */
type Provided<F, Key extends string> = F extends { [K in Key]: infer Value } ? KeysOfEach<Value> : never
/** Names of the contract's groups of calls, pages with props and kinds of runs that no feature has. */
type Missing<F> =
  | Exclude<CallGroupName, Provided<F, 'calls'>>
  | Exclude<PageWithProps, Provided<F, 'pages'>>
  | Exclude<RunKind, Provided<F, 'completionHooks'>>
/** A list that lacks something becomes the names of what it lacks, which the compiler then shows. */
type Complete<List> = [Missing<List[keyof List]>] extends [never] ? List : Missing<List[keyof List]>

/** Creates the product's parts, and the list of what each feature adds to the app. To add a feature, add it here. */
export function createFeatures(ground: Ground & { assistants: Assistants }) {
  const { config, database, catalogue } = ground
  const { db } = database
  const registry: Registry = {
    completionHooks: {} as CompletionHooks,
    assistants: {},
    archiveParts: [],
    guestMerges: [],
  }
  const parts = createParts({ ...ground, registry })
  const {
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
  } = parts

  const features = {
    site: {
      pages: {
        Home: async () => ({ signup_coins: config.signup_coins }),
        Partner: async () => ({ reward: config.invite_coins }),
        Service: async () => ({ contact: config.contact }),
        Outbox: async () => ({ messages: await readOutbox(config.data_dir, 50) }),
      },
      sweep: () => sweepUses(db),
    },
    gateway: {
      tryHandle: (request, response) => gateway.tryHandle(request, response),
      completionHooks: { gateway: gatewayHooks.kind },
      sweep: () => sweepGateway(db),
      close: () => gateway.close(),
    },
    auth: {
      calls: { auth: authRoutes(auth, users, config.app_url) },
      redirects: redirectSignedIn(auth),
      mount(app) {
        mountSignOut(app, auth)
        mountWechatCallback(app, auth, config.trust_proxy)
      },
      sweep: () => auth.sweep(),
    },
    users: { calls: { users: userRoutes(users, files.definePictures(users.listUsedAvatars)) } },
    account: { calls: { account: accountRoutes(account, auth) } },
    organizations: {
      calls: { organizations: organizationRoutes(organizations) },
      pages: {
        InvitationRefusal: async (c) => {
          const token = c.req.param('token') ?? ''
          const refused = await organizations.refusals.find(token)
          return refused === null ? null : { token, refused }
        },
      },
      sweep: () => organizations.sweep(),
    },
    keys: {
      calls: { keys: keyRoutes(keys), provision_keys: provisionKeyRoutes(keys) },
      identify: { keys: keys.identifyByBearer },
    },
    notifications: {
      calls: { notifications: notificationRoutes(notifications) },
      sweep: () => notifications.sweep(),
    },
    tasks: { calls: { tasks: taskRoutes(tasks) }, sweep: () => tasks.sweep() },
    files: {
      tryHandle: files.tryHandle,
      calls: { files: fileRoutes(files) },
      mount(app) {
        mountFiles(app, files, auth.identify)
        mountPictures(app, files)
      },
      sweep: () => files.sweep(),
    },
    models: {
      calls: { models: modelRoutes(models, catalogue, users), stats: statsRoutes(createStats(db)) },
      pages: {
        Model: async (c) => {
          const model = c.req.param('model') ?? null
          return model === null || models.isKnown(model) ? { model } : null
        },
      },
    },
    general: { assistants: { [DATI]: general }, sweep: () => sweepGuestTurns(db) },
    agents: {
      calls: { agents: agentRoutes(agents, answering), widget: widgetRoutes(widgets) },
      mount: mountWidget,
      pages: {
        AgentForm: async (c) => ({ id: c.req.param('id') ?? null }),
        Widget: (c) => showWidget(c, widgets),
      },
      // The callers wait for them.
      completionHooks: { agent_prompts: null, rewrite: null },
      assistants: { [ZHIKU]: createAgentAssistant({ agents, answering, widgets, blocks, users }) },
      archive: createAgentArchive(agents),
    },
    blocks: {
      calls: { blocks: blockRoutes(blocks) },
      pages: { Block: async (c) => ({ id: c.req.param('id') ?? null }) },
      // The text of a picture is stored by the caller that waits for it.
      completionHooks: { transcript: () => saveTranscripts, summary: () => saveSummaries, reading: null },
      assistants: { [BLOCK]: createBlockAssistant({ blocks, users }) },
      archive: createBlockArchive(blocks),
      close: () => recordings.close(),
    },
    knowledge: { completionHooks: { indexing: () => saveEmbeddings, retrieval: null } },
    compare: {
      calls: { compare: compareRoutes(compare) },
      assistants: { [COMPARE]: createCompareAssistant({ general, catalogue }) },
      mergeGuest: (tx, guestId, userId) => compare.mergeGuest(tx, guestId, userId),
    },
    prompts: { calls: { prompts: promptRoutes(prompts) }, archive: createPromptArchive(prompts) },
    translate: {
      calls: { translate: translateRoutes(translate, conversations), glossary: glossaryRoutes(glossary) },
      completionHooks: { translation: () => completeTranslations },
      assistants: { [FANYI]: createTranslateAssistant({ db, users, catalogue, translate }) },
      archive: createGlossaryArchive(glossary),
      sweep: () => translate.sweep(),
    },
    voice: { calls: { voice: voiceRoutes(voice) }, completionHooks: { voice: null } },
    shares: {
      calls: { shares: shareRoutes(shares) },
      pages: {
        Share: async (c) => {
          const id = c.req.param('id') ?? ''
          const shared = await shares.getShared(id)
          return shared && { id, shared }
        },
      },
      previews: { Share: describeShare },
    },
    statistics: {
      calls: { statistics: statisticsRoutes(statistics) },
      archive: createStatisticsArchive(statistics),
    },
    credit: {
      calls: {
        credit: creditRoutes(credit),
        ...(credit.sandbox && { sandbox: sandboxRoutes(credit, credit.sandbox) }),
      },
    },
    conversations: {
      calls: {
        chat: chatRoutes(conversations),
        sessions: sessionRoutes(conversations),
        folders: folderRoutes(conversations),
        feedback: feedbackRoutes(conversations),
      },
      pages: { Chat: async (c) => ({ agent: c.req.param('id') ?? null }) },
      completionHooks: conversationCompletionHooks,
      archive: createConversationArchive(conversations),
      mergeGuest: (tx, guestId, userId) => conversations.mergeGuest(tx, guestId, userId),
      sweep: () => conversations.indexOldMessages(),
    },
  } satisfies Record<string, Feature>
  const complete: Complete<typeof features> = features
  const list = Object.values<Feature>(complete)
  Object.assign(registry.completionHooks, ...list.map((feature) => feature.completionHooks))
  Object.assign(registry.assistants, ...list.map((feature) => feature.assistants), ground.assistants)
  registry.archiveParts.push(...list.flatMap(({ archive }) => archive ?? []))
  registry.guestMerges.push(...list.flatMap(({ mergeGuest }) => mergeGuest ?? []))
  return { list, runs, tasks, users, auth, files, credit, blocks, voice, search }
}
