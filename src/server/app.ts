import { serveStatic } from '@hono/node-server/serve-static'
import { compress } from 'hono/compress'
import type { Calls } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import type { Account } from '#server/accounts/account/account.ts'
import { accountRoutes } from '#server/accounts/account/routes.ts'
import type { Agents, Answering, Widgets } from '#server/assistants/agents/agents.ts'
import { agentRoutes, widgetRoutes } from '#server/assistants/agents/routes.ts'
import { mountWidget, showWidget } from '#server/assistants/agents/widget-page.ts'
import type { Credit } from '#server/commerce/credit/credit.ts'
import { creditRoutes, sandboxRoutes } from '#server/commerce/credit/routes.ts'
import { getSessionCookie, writeInviteCookie } from '#server/accounts/auth/cookie.ts'
import {
  authRoutes,
  mountSignOut,
  mountWechatCallback,
  redirectSignedIn,
} from '#server/accounts/auth/routes.ts'
import { canSendSms } from '#server/accounts/auth/auth.ts'
import type { Auth } from '#server/accounts/auth/auth.ts'
import type { Blocks } from '#server/documents/blocks/blocks.ts'
import { blockRoutes } from '#server/documents/blocks/routes.ts'
import { chatRoutes } from '#server/conversations/routes.ts'
import { feedbackRoutes } from '#server/conversations/messages/routes.ts'
import { folderRoutes } from '#server/conversations/folders/routes.ts'
import { sessionRoutes } from '#server/conversations/sessions/routes.ts'
import { compareRoutes } from '#server/assistants/compare/routes.ts'
import type { Compare } from '#server/assistants/compare/compare.ts'
import type { Conversations } from '#server/conversations/conversations.ts'
import { createCapacityCounter } from '#server/core/capacity.ts'
import type { Capacity } from '#server/core/capacity.ts'
import type { Config } from '#server/core/config.ts'
import type { Database } from '#server/core/database/database.ts'
import { createHtmlDocument, WEB_DIR } from '#server/core/pages/html-document.ts'
import { mountCalls, mountMethodErrors, handleNotFound, createBaseApp } from '#server/core/http.ts'
import type { App } from '#server/core/http.ts'
import type { Log } from '#server/core/log.ts'
import { readOutbox } from '#server/core/mail.ts'
import { buildOpenApiSpec } from '#server/core/openapi.ts'
import { mountPages } from '#server/core/pages/pages.ts'
import { createPrerender } from '#server/core/pages/prerender.ts'
import { createInertia } from '#server/core/pages/inertia.ts'
import type { Files } from '#server/files/files.ts'
import { fileRoutes, mountFiles, mountPictures } from '#server/files/routes.ts'
import { describeGateway } from '#server/gateway/gateway.ts'
import type { Keys } from '#server/accounts/keys/keys.ts'
import { keyRoutes, provisionKeyRoutes } from '#server/accounts/keys/routes.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { Messages } from '#server/notifications/notifications.ts'
import { messageRoutes } from '#server/notifications/routes.ts'
import type { Organizations } from '#server/accounts/organizations/organizations.ts'
import { organizationRoutes } from '#server/accounts/organizations/routes.ts'
import type { Models } from '#server/models/models.ts'
import { modelRoutes } from '#server/models/routes.ts'
import { promptRoutes } from '#server/conversations/prompts/routes.ts'
import type { Prompts } from '#server/conversations/prompts/prompts.ts'
import { shareRoutes } from '#server/conversations/shares/routes.ts'
import { describeShare } from '#server/conversations/shares/link-preview.ts'
import type { Shares } from '#server/conversations/shares/shares.ts'
import { statisticsRoutes } from '#server/commerce/statistics/routes.ts'
import type { Statistics } from '#server/commerce/statistics/statistics.ts'
import { statsRoutes } from '#server/models/stats-routes.ts'
import type { Stats } from '#server/models/stats.ts'
import { taskRoutes } from '#server/tasks/tasks.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import { glossaryRoutes, translateRoutes } from '#server/assistants/translate/routes.ts'
import type { Glossary, Translate } from '#server/assistants/translate/translate.ts'
import { userRoutes } from '#server/accounts/users/routes.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { voiceRoutes } from '#server/conversations/voice/routes.ts'
import type { Voice } from '#server/conversations/voice/voice.ts'

type AppDeps = {
  config: Config
  capacity: Pick<Capacity, 'max_calls' | 'max_body_bytes'>
  log: Log
  database: Database
  auth: Auth
  users: Users
  account: Account
  messages: Messages
  conversations: Conversations
  compare: Compare
  prompts: Prompts
  shares: Shares
  catalogue: Catalogue
  models: Models
  stats: Stats
  keys: Keys
  voice: Voice
  files: Files
  blocks: Blocks
  agents: Agents
  answering: Answering
  widgets: Widgets
  tasks: Tasks
  translate: Translate
  glossary: Glossary
  credit: Credit
  organizations: Organizations
  statistics: Statistics
}

/** Makes the app of a process that only works on jobs and tasks: it reports its health. */
export function createWorkerApp(log: Log, database: Database): App {
  const app = createBaseApp(log)
  mountHealth(app, database)
  app.all('*', handleNotFound)
  return app
}

function mountHealth(app: App, database: Database): void {
  app.get('/healthz', (c) => c.json({ ok: true }))
  app.get('/readyz', async (c) => {
    await database.ping()
    return c.json({ ok: true })
  })
}

/** Shorter answers fit into a few packets with their headers: compressing them would only delay them. */
const MIN_COMPRESSED_BYTES = 4096

/** Makes the app with every route of the product: calls, pages, assets, health. */
export function createApp(deps: AppDeps): App {
  const {
    config,
    capacity,
    log,
    database,
    auth,
    users,
    account,
    messages,
    conversations,
    compare,
    prompts,
    shares,
    catalogue,
    models,
    stats,
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
  } = deps
  const app = createBaseApp(log)

  mountHealth(app, database)

  app.use('/api/*', compress({ threshold: MIN_COMPRESSED_BYTES }))
  app.use('/api/*', async (c, next) => {
    await next()
    c.res.headers.set('X-Robots-Tag', 'noindex')
  })
  const mountOptions = {
    app,
    identify: auth.identify,
    identifyWidget: auth.identifyWidget,
    trust_proxy: config.trust_proxy,
    calls: createCapacityCounter(capacity.max_calls),
    body_bytes: createCapacityCounter(capacity.max_body_bytes),
  }
  const { sandbox } = credit
  const { sandbox: _, ...productCalls } = calls
  const ownCalls = sandbox ? calls : productCalls
  const everyCall = Object.assign({}, ...Object.values(ownCalls)) as Calls
  mountMethodErrors(app, everyCall, 'without')
  mountCalls(mountOptions, calls.auth, authRoutes(auth, users, config.app_url))
  mountCalls(mountOptions, calls.users, userRoutes(users, files.definePictures(users.listUsedAvatars)))
  mountCalls(mountOptions, calls.account, accountRoutes(account, auth))
  mountCalls(mountOptions, calls.messages, messageRoutes(messages))
  // Before the chat, whose DELETE /api/chat/session/{id} would take `link` for an id.
  mountCalls(mountOptions, calls.shares, shareRoutes(shares))
  mountCalls(mountOptions, calls.chat, chatRoutes(conversations))
  mountCalls(mountOptions, calls.prompts, promptRoutes(prompts))
  mountCalls(mountOptions, calls.sessions, sessionRoutes(conversations))
  mountCalls(mountOptions, calls.folders, folderRoutes(conversations))
  mountCalls(mountOptions, calls.feedback, feedbackRoutes(conversations))
  mountCalls(mountOptions, calls.models, modelRoutes(models, catalogue, users))
  mountCalls(mountOptions, calls.voice, voiceRoutes(voice))
  mountCalls(mountOptions, calls.stats, statsRoutes(stats))
  mountCalls(mountOptions, calls.files, fileRoutes(files))
  // Before the blocks, whose GET /api/block/{id} would take `categories` for an id.
  mountCalls(mountOptions, calls.agents, agentRoutes(agents, answering))
  mountCalls(mountOptions, calls.blocks, blockRoutes(blocks))
  mountCalls(mountOptions, calls.compare, compareRoutes(compare))
  mountCalls(mountOptions, calls.widget, widgetRoutes(widgets))
  mountCalls(mountOptions, calls.tasks, taskRoutes(tasks))
  mountCalls(mountOptions, calls.translate, translateRoutes(translate, conversations))
  mountCalls(mountOptions, calls.glossary, glossaryRoutes(glossary))
  mountCalls({ ...mountOptions, identify: keys.identifyByBearer(auth.identify) }, calls.keys, keyRoutes(keys))
  mountCalls(mountOptions, calls.provision_keys, provisionKeyRoutes(keys))
  mountCalls(mountOptions, calls.credit, creditRoutes(credit))
  mountCalls(mountOptions, calls.statistics, statisticsRoutes(statistics))
  mountCalls(mountOptions, calls.organizations, organizationRoutes(organizations))
  if (sandbox) mountCalls(mountOptions, calls.sandbox, sandboxRoutes(credit, sandbox))
  mountMethodErrors(app, everyCall, 'with parameters')
  const site = { app_url: config.app_url, cookie: getSessionCookie(config.app_url) }
  let openapi: string | undefined
  app.get('/api/openapi.json', (c) => {
    openapi ??= JSON.stringify(buildOpenApiSpec(ownCalls, site, describeGateway()))
    return c.body(openapi, 200, { 'Content-Type': 'application/json' })
  })
  app.all('/api/*', handleNotFound)
  mountFiles(app, files, auth.identify)
  mountPictures(app, files)

  registerPages(app, deps)
  return app
}

function registerPages(app: App, deps: AppDeps): void {
  const { config, log, auth, users, shares, voice, files, blocks, models, widgets, organizations } = deps
  const { app_url, environment, guest_turns, search, vite_dev_url } = config
  app.use('/assets/*', async (c, next) => {
    await next()
    if (!c.res.ok) return
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    // The frame that draws diagrams has no origin (src/web/markdown/diagrams/drawDiagram.ts).
    c.header('Access-Control-Allow-Origin', '*')
  })
  mountWidget(app)
  app.use('*', serveStatic({ root: WEB_DIR, precompressed: true, index: '-' }))

  mountSignOut(app, auth)
  mountWechatCallback(app, auth, config.trust_proxy)

  // Pages are compressed with their prerendered HTML; everything registered before is compressed elsewhere.
  app.use('*', compress())
  const inertia = createInertia(
    createHtmlDocument({
      vite_dev_url,
      store_origin: files.store_origin,
      app_url,
      has_captcha: config.captcha !== null,
    }),
    vite_dev_url ? async () => null : createPrerender(log),
    async (c, { anonymous }) => {
      const readAloud = voice.isAvailable()
      const voiceInput = blocks.canTranscribe()
      const webSearch = search !== null
      const signIn = { phone: canSendSms(config), wechat: config.wechat !== null }
      const captchaAppId = config.captcha?.app_id ?? null
      const pageConfig = {
        app_url,
        environment,
        guest_turns,
        web_search: webSearch,
        read_aloud: readAloud,
        voice_input: voiceInput,
        sign_in: signIn,
        captcha_app_id: captchaAppId,
      }
      if (anonymous || c.get('frame_ancestors')) return { user: null, config: pageConfig }
      const headers = new Headers()
      const visitor = await auth.identify.resolveVisitor(c.req.raw, headers)
      for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
      const user = visitor && !visitor.guest ? await users.getInfo(visitor.user_id) : null
      const invitation = user ? null : writeInviteCookie(c.req.query('invite_code'), app_url)
      if (invitation) c.header('Set-Cookie', invitation, { append: true })
      return { user, config: pageConfig }
    },
  )
  mountPages(
    { app, inertia, environment, previews: { Share: describeShare }, redirects: redirectSignedIn(auth) },
    {
      Home: async () => ({ signup_coins: config.signup_coins }),
      Partner: async () => ({ reward: config.invite_coins }),
      Service: async () => ({ contact: config.contact }),
      Chat: async (c) => ({ agent: c.req.param('id') ?? null }),
      AgentForm: async (c) => ({ id: c.req.param('id') ?? null }),
      Block: async (c) => ({ id: c.req.param('id') ?? null }),
      Model: async (c) => {
        const model = c.req.param('model') ?? null
        return model === null || models.isKnown(model) ? { model } : null
      },
      Share: async (c) => {
        const id = c.req.param('id') ?? ''
        const shared = await shares.getShared(id)
        return shared && { id, shared }
      },
      InvitationRefusal: async (c) => {
        const token = c.req.param('token') ?? ''
        const refused = await organizations.refusals.find(token)
        return refused === null ? null : { token, refused }
      },
      Widget: (c) => showWidget(c, widgets),
      Outbox: async () => ({ messages: await readOutbox(config.data_dir, 50) }),
    },
  )
}
