import { serveStatic } from '@hono/node-server/serve-static'
import type { Context } from 'hono'
import { compress } from 'hono/compress'
import { calls } from '#contract/calls.ts'
import { SESSION_COOKIE } from './auth/cookie.ts'
import { authRoutes } from './auth/routes.ts'
import type { Auth } from './auth/auth.ts'
import { chatRoutes } from './chat/routes.ts'
import { sessionRoutes } from './chat/sessions/routes.ts'
import type { Chat } from './chat/chat.ts'
import type { Config } from './core/config.ts'
import type { Database } from './core/database.ts'
import { openDocument, WEB_DIR } from './core/document.ts'
import { isLoopback, mount, notFound, openApp } from './core/http.ts'
import type { App } from './core/http.ts'
import type { Log } from './core/log.ts'
import { readOutbox } from './core/mail.ts'
import { openApiDocument } from './core/openapi.ts'
import { openPages } from './core/pages.ts'
import type { Keys } from './keys/keys.ts'
import { keyRoutes, provisionKeyRoutes } from './keys/routes.ts'
import type { Catalogue } from './llm/catalogue.ts'
import type { Models } from './models/models.ts'
import { modelRoutes } from './models/routes.ts'
import { promptRoutes } from './prompts/routes.ts'
import type { Prompts } from './prompts/prompts.ts'
import { shareRoutes } from './shares/routes.ts'
import type { Shares } from './shares/shares.ts'
import { statsRoutes } from './stats/routes.ts'
import type { Stats } from './stats/stats.ts'
import { userRoutes } from './users/routes.ts'
import type { Users } from './users/users.ts'
import { voiceRoutes } from './voice/routes.ts'
import type { Voice } from './voice/voice.ts'

type Parts = {
  config: Config
  log: Log
  database: Database
  auth: Auth
  users: Users
  chat: Chat
  prompts: Prompts
  shares: Shares
  catalogue: Catalogue
  models: Models
  stats: Stats
  keys: Keys
  voice: Voice
}

/** Every route of the product: calls, pages, assets, health. */
export function createApp(parts: Parts): App {
  const { config, log, database, auth, users, chat, prompts, shares, catalogue, models, stats, keys, voice } =
    parts
  const app = openApp(log)

  app.get('/healthz', (c) => c.json({ ok: true }))
  app.get('/readyz', async (c) => {
    await database.ping()
    return c.json({ ok: true })
  })

  app.use('/api/*', compress())
  const mounting = { app, identify: auth.identify, trust_proxy: config.trust_proxy }
  mount(mounting, calls.auth, authRoutes(auth, users))
  mount(mounting, calls.users, userRoutes(users))
  // Before the chat, whose DELETE /api/chat/session/{id} would take `link` for an id.
  mount(mounting, calls.shares, shareRoutes(shares))
  mount(mounting, calls.chat, chatRoutes(chat))
  mount(mounting, calls.prompts, promptRoutes(prompts))
  mount(mounting, calls.sessions, sessionRoutes(chat))
  mount(mounting, calls.models, modelRoutes(models, catalogue, users))
  mount(mounting, calls.voice, voiceRoutes(voice))
  mount(mounting, calls.stats, statsRoutes(stats))
  mount({ ...mounting, identify: keys.identifyBearer(auth.identify) }, calls.keys, keyRoutes(keys))
  mount(mounting, calls.provision_keys, provisionKeyRoutes(keys))
  const openapi = JSON.stringify(openApiDocument(calls, { app_url: config.app_url, cookie: SESSION_COOKIE }))
  app.get('/api/openapi.json', (c) => c.body(openapi, 200, { 'Content-Type': 'application/json' }))
  app.all('/api/*', notFound)

  mountPages(app, parts)
  return app
}

function mountPages(app: App, { config, auth, users, shares, voice }: Parts): void {
  const { app_url, environment, guest_turns, search } = config
  app.use('/assets/*', async (c, next) => {
    await next()
    if (c.res.ok) c.header('Cache-Control', 'public, max-age=31536000, immutable')
  })
  app.use('*', serveStatic({ root: WEB_DIR, precompressed: true, index: '-' }))

  const pages = openPages(app, openDocument(config.vite_dev_url), async (c) => {
    const headers = new Headers()
    const visitor = await auth.identify.visitor(c.req.raw, headers)
    for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
    const user = visitor && !visitor.guest ? await users.info(visitor.user_id) : null
    const read_aloud = voice.available()
    const web_search = search !== null
    return { user, config: { app_url, environment, guest_turns, web_search, read_aloud } }
  })
  pages.page('/', 'Home')
  pages.page('/chat', 'Chat')
  pages.page('/login', 'AuthLogin')
  pages.page('/share/:id', 'Share', async (c) => {
    // Who has the link may read; it is not for search engines to pass on.
    c.header('X-Robots-Tag', 'noindex')
    const id = c.req.param('id') ?? ''
    const shared = await shares.read(id)
    return shared && { id, shared, noindex: true }
  })
  const modelPage = async (c: Context) => ({ model: c.req.param('model') ?? null })
  pages.page('/models', 'Model', modelPage)
  pages.page('/models/:model', 'Model', modelPage)
  pages.page('/calculator', 'Caculator')
  pages.page('/profile/api-keys', 'ApiKey')
  pages.page('/profile/provision-keys', 'ProvisionKey')
  pages.page('/profile/setting', 'Setting')
  pages.page('/docs/charging', 'Charging')
  pages.page('/docs/api', 'ApiReference')
  pages.page('/docs/gateway', 'GatewayGuide')
  if (environment !== 'production') {
    // It shows sign-in codes: for whoever sits at this machine, not for the network.
    app.use('/dev/outbox', async (c, next) => (isLoopback(c) ? next() : c.notFound()))
    pages.page('/dev/outbox', 'Outbox', async () => ({ messages: await readOutbox(config.data_dir, 50) }))
  }
  app.notFound(async (c) => pages.render(c, 'NotFound', {}, 404))
}
