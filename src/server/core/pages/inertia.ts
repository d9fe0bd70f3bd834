import type { Context, MiddlewareHandler } from 'hono'
import type { SharedProps } from '#contract/pages.ts'
import type { HtmlDocument, PageObject } from './html-document.ts'
import type { Prerender } from './prerender.ts'
import type { AppEnv } from '../http.ts'
import { SITE_PREVIEW } from './link-preview.ts'
import type { LinkPreview } from './link-preview.ts'

type RenderOptions = {
  status?: 200 | 404 | 503
  noindex?: boolean
  /** Shown for links to the page; the site's when absent. */
  preview?: LinkPreview | undefined
  /** No user is looked up: the page is shown while that is impossible. */
  anonymous?: boolean
}
/** Returns every page's props besides its own. */
type GetSharedProps = (
  c: Context<AppEnv>,
  options: { anonymous: boolean },
) => Promise<Omit<SharedProps, 'errors'>>

/**
 * The server's side of Inertia (inertiajs.com, "The protocol"): HTML for a first visit, JSON for later ones, 409 with the address
 * when the browser's assets are of another build.
 */
export function createInertia(document: HtmlDocument, prerender: Prerender, getSharedProps: GetSharedProps) {
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
    props: object,
    { status = 200, noindex = false, preview = SITE_PREVIEW, anonymous = false }: RenderOptions = {},
  ) => {
    const shared = await getSharedProps(c, { anonymous })
    const all: Record<string, unknown> = { errors: {}, ...shared, ...props }
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
    c.header('Content-Security-Policy', document.createCsp(c.get('frame_ancestors') ?? "'none'"))
    c.header('Referrer-Policy', 'strict-origin-when-cross-origin')
    return c.html(document.render(page, { noindex, preview }, await prerender(page)), status)
  }

  return { checkAssetVersion, render }
}
export type Inertia = ReturnType<typeof createInertia>

/** Selects the props that a partial reload names; `errors` always come. */
function selectProps(c: Context, component: string, props: Record<string, unknown>) {
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
