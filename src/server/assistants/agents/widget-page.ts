import type { Context } from 'hono'
import type { PageProps } from '#contract/pages.ts'
import type { App, AppEnv } from '#server/core/http.ts'
import type { Widgets } from './widget.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Adds headers to the widget's script, and leads visits of its page without a frame to the agent's own page. */
export function mountWidget(app: App): void {
  app.use('/widget.js', async (c, next) => {
    await next()
    if (!c.res.ok) return
    // The script keeps its name: sites get a new one within the hour.
    c.header('Cache-Control', 'public, max-age=3600, stale-while-revalidate=86400')
    // Sites that isolate themselves (COEP) may load it too.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
  })
  // The widget's visitors are guests of other sites; a person who opens the page itself is a guest or a user of this one.
  app.get('/widget/:id', (c, next) =>
    c.req.header('Sec-Fetch-Dest') === 'document'
      ? Promise.resolve(c.redirect(`/chat/agent/${encodeURIComponent(c.req.param('id'))}`))
      : next(),
  )
}

/**
 * Returns the props of the page in the frame, and sets who may show it: the agent's sites, and this one as a preview. Where there
 * is nothing to show the page says so to everybody, so that it tells nothing of an agent that is private, gone or never was.
 */
export async function showWidget(c: Context<AppEnv>, widgets: Widgets): Promise<PageProps<'Widget'>> {
  const id = c.req.param('id') ?? ''
  const embedded = UUID.test(id) ? await widgets.findEmbedded(id) : null
  c.set('frame_ancestors', embedded ? ["'self'", ...embedded.sites].join(' ') : '*')
  return { agent: embedded && isAllowedSite(c, embedded.sites) ? embedded.agent : null }
}

/** Tells by the referrer whether a site may show the frame; without a referrer the browser enforces frame-ancestors. */
function isAllowedSite(c: Context<AppEnv>, sites: string[]): boolean {
  const referrer = URL.parse(c.req.header('Referer') ?? '')
  return !referrer || referrer.host === c.req.header('Host') || sites.includes(referrer.origin)
}
