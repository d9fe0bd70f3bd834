import type { Context, MiddlewareHandler } from 'hono'
import type { HtmlDocument, PageObject } from './html-document.ts'
import type { App, AppEnv } from './http.ts'

/** Props that every page is given. */
type GetSharedProps = (c: Context<AppEnv>) => Promise<Record<string, unknown>>
type Props = Record<string, unknown>

/**
 * The server's side of Inertia (inertiajs.com, "The protocol"): HTML for a first visit, JSON for the ones after it,
 * 409 with the address when the browser's assets are of another build.
 */
export function createInertia(app: App, document: HtmlDocument, getSharedProps: GetSharedProps) {
  const checkAssetVersion: MiddlewareHandler<AppEnv> = async (c, next) => {
    const inertia = c.req.header('X-Inertia') === 'true'
    if (inertia && c.req.method === 'GET' && c.req.header('X-Inertia-Version') !== document.version) {
      return c.body(null, 409, { 'X-Inertia-Location': getPath(c) })
    }
    return next()
  }

  /** Answers with a page. `props` are its own, beside the shared ones. */
  const render = async (
    c: Context<AppEnv>,
    component: string,
    props: Props = {},
    status: 200 | 404 = 200,
  ) => {
    const all: Props = { errors: {}, ...(await getSharedProps(c)), ...props }
    const page: PageObject = {
      component,
      props: selectProps(c, component, all),
      url: getPath(c),
      version: document.version,
    }
    c.header('Vary', 'X-Inertia')
    c.header('Cache-Control', 'no-store')
    if (c.req.header('X-Inertia') === 'true') {
      c.header('X-Inertia', 'true')
      return c.json(page, status)
    }
    c.header('Content-Security-Policy', document.csp)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'strict-origin-when-cross-origin')
    return c.html(document.render(page), status)
  }

  return {
    render,
    /** A page at a path; `props` are made for each visit, null where there is nothing to show. */
    addPage(path: string, component: string, props?: (c: Context<AppEnv>) => Promise<Props | null>): void {
      app.get(path, checkAssetVersion, async (c) => {
        const own = await props?.(c)
        return own === null ? render(c, 'NotFound', {}, 404) : render(c, component, own)
      })
    },
  }
}
export type Inertia = ReturnType<typeof createInertia>

/** A partial reload names the props it wants; `errors` always come. */
function selectProps(c: Context, component: string, props: Props): Props {
  const only = c.req.header('X-Inertia-Partial-Data')?.split(',')
  if (!only || c.req.header('X-Inertia-Partial-Component') !== component) return props
  return Object.fromEntries(
    Object.entries(props).filter(([name]) => name === 'errors' || only.includes(name)),
  )
}

function getPath(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}
