import { serveStatic } from '@hono/node-server/serve-static'
import { compress } from 'hono/compress'
import type { Calls } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import type { CallGroupName } from '#contract/calls.ts'
import { canSendSms } from '#server/accounts/auth/auth.ts'
import { getSessionCookie, writeInviteCookie } from '#server/accounts/auth/cookie.ts'
import { createCapacityCounter } from '#server/core/capacity.ts'
import type { Capacity } from '#server/core/capacity.ts'
import type { Config } from '#server/core/config.ts'
import type { Database } from '#server/core/database/database.ts'
import { createBaseApp, handleNotFound, mountCalls, mountMethodErrors } from '#server/core/http.ts'
import type { App, CallGroup } from '#server/core/http.ts'
import type { Log } from '#server/core/log.ts'
import { buildOpenApiSpec } from '#server/core/openapi.ts'
import { createHtmlDocument, WEB_DIR } from '#server/core/pages/html-document.ts'
import { createInertia } from '#server/core/pages/inertia.ts'
import type { Inertia } from '#server/core/pages/inertia.ts'
import { mountPages } from '#server/core/pages/pages.ts'
import type { PagePreviews, PagePropsProviders, PageRedirects } from '#server/core/pages/pages.ts'
import { createPrerender } from '#server/core/pages/prerender.ts'
import { describeGateway } from '#server/gateway/gateway.ts'
import type { Feature } from './feature.ts'
import type { Features } from './features.ts'

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

type AppDeps = {
  config: Config
  capacity: Pick<Capacity, 'max_calls' | 'max_body_bytes'>
  log: Log
  database: Database
  features: Features
}

/** Makes the app with every route of the product: calls, pages, assets, health. */
export function createApp({ config, capacity, log, database, features }: AppDeps): App {
  const { auth, list } = features
  const app = createBaseApp(log)
  mountHealth(app, database)

  app.use('/api/*', compress({ threshold: MIN_COMPRESSED_BYTES }))
  app.use('/api/*', async (c, next) => {
    await next()
    c.res.headers.set('X-Robots-Tag', 'noindex')
  })
  const groups = list.flatMap(listCallGroups)
  const ownCalls = Object.fromEntries(groups.map(({ name }) => [name, calls[name]]))
  const everyCall = Object.assign({}, ...Object.values(ownCalls)) as Calls
  mountMethodErrors(app, everyCall, 'without')
  const mountOptions = {
    app,
    identify: auth.identify,
    identifyWidget: auth.identifyWidget,
    trust_proxy: config.trust_proxy,
    calls: createCapacityCounter(capacity.max_calls),
    body_bytes: createCapacityCounter(capacity.max_body_bytes),
  }
  mountCalls(mountOptions, groups)
  mountMethodErrors(app, everyCall, 'with parameters')
  const site = { app_url: config.app_url, cookie: getSessionCookie(config.app_url) }
  let openapi: string | undefined
  app.get('/api/openapi.json', (c) => {
    openapi ??= JSON.stringify(buildOpenApiSpec(ownCalls, site, describeGateway()))
    return c.body(openapi, 200, { 'Content-Type': 'application/json' })
  })
  app.all('/api/*', handleNotFound)
  for (const feature of list) feature.mount?.(app)
  mountAssets(app)

  // Pages are compressed with their prerendered HTML; everything registered before is compressed elsewhere.
  app.use('*', compress())
  const { environment } = config
  const inertia = createAppInertia(config, log, features)
  const previews = Object.assign({}, ...list.map((feature) => feature.previews)) as PagePreviews
  const redirects = Object.assign({}, ...list.map((feature) => feature.redirects)) as PageRedirects
  const providers = Object.assign({}, ...list.map(({ pages }) => pages)) as PagePropsProviders
  mountPages({ app, inertia, environment, previews, redirects }, providers)
  return app
}

/** Returns the feature's handlers with their calls of the contract. */
const listCallGroups = ({ calls: handlers, identify }: Feature): (CallGroup & { name: CallGroupName })[] =>
  (Object.keys(handlers ?? {}) as CallGroupName[]).map((name) => ({
    name,
    calls: calls[name],
    handlers: handlers![name] as CallGroup['handlers'],
    identify: identify?.[name],
  }))

function mountAssets(app: App): void {
  app.use('/assets/*', async (c, next) => {
    await next()
    if (!c.res.ok) return
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    // The frame that draws diagrams has no origin (src/web/markdown/diagrams/drawDiagram.ts).
    c.header('Access-Control-Allow-Origin', '*')
  })
  app.use('*', serveStatic({ root: WEB_DIR, precompressed: true, index: '-' }))
}

/** Creates what renders pages, with the props that all of them share: the user and the configuration. */
function createAppInertia(
  config: Config,
  log: Log,
  { auth, users, files, blocks, voice, search }: Features,
): Inertia {
  const { app_url, environment, guest_turns, vite_dev_url, captcha, wechat } = config
  return createInertia(
    createHtmlDocument({
      vite_dev_url,
      store_origin: files.store_origin,
      app_url,
      has_captcha: captcha !== null,
    }),
    vite_dev_url ? async () => null : createPrerender(log),
    async (c, { anonymous }) => {
      const pageConfig = {
        app_url,
        environment,
        guest_turns,
        web_search: search !== null,
        read_aloud: voice.isAvailable(),
        voice_input: blocks.canTranscribe(),
        sign_in: { phone: canSendSms(config), wechat: wechat !== null },
        captcha_app_id: captcha?.app_id ?? null,
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
}
