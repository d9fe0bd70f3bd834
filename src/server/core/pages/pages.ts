import type { Context } from 'hono'
import { pages } from '#contract/pages.ts'
import type { PageDefinition, PageName, PageProps, PageWithProps } from '#contract/pages.ts'
import { toAppError } from '../app-error.ts'
import { isLocalRequest } from '../http.ts'
import type { App, AppEnv } from '../http.ts'
import type { Inertia } from './inertia.ts'
import type { LinkPreview } from './link-preview.ts'

/** Makes the props of one visit; null where there is nothing to show, which gives the 404 page. */
type GetProps<Props> = (c: Context<AppEnv>) => Promise<Props | null>
/** The props of each page that takes props: a missing page is a type error. */
export type PagePropsProviders = { [N in PageWithProps]: GetProps<PageProps<N>> }

/** Returns the address that a page redirects to; null where it is shown. */
export type PageRedirects = { [N in PageName]?: (c: Context<AppEnv>) => Promise<string | null> }

/** Previews of links to pages, made of their props, where these tell more than the site's name. */
export type PagePreviews = { [N in PageWithProps]?: (props: PageProps<N>) => LinkPreview }

type MountOptions = {
  app: App
  inertia: Inertia
  environment: 'development' | 'production' | 'test'
  previews: PagePreviews
  redirects: PageRedirects
}

const DEFAULT_RETRY_S = 5

/** Tells whether a person opens an address. Pages and programs that fetch it get their errors as JSON. */
const isFirstVisit = (c: Context): boolean =>
  c.req.header('X-Inertia') !== 'true' && (c.req.header('Accept') ?? '').includes('text/html')

/** Registers every page of the contract at its paths. */
export function mountPages(
  { app, inertia, environment, previews, redirects }: MountOptions,
  providers: PagePropsProviders,
): void {
  const renderNotFound = (c: Context<AppEnv>) =>
    inertia.render(c, 'NotFound' satisfies PageName, {}, { status: 404 })
  for (const [name, { paths, access, noindex }] of Object.entries<PageDefinition>(pages)) {
    if (access === 'development' && environment === 'production') continue
    const describe = (previews as Record<string, ((props: object) => LinkPreview) | undefined>)[name]
    const getProps = (providers as Record<string, GetProps<object> | undefined>)[name]
    const redirect = redirects[name as PageName]
    for (const path of paths.map((path) => path.replace(/\{(\w+)\}/g, ':$1'))) {
      if (access === 'development') {
        // For people at this machine, not in its network.
        app.use(path, async (c, next) => (isLocalRequest(c) ? next() : c.notFound()))
      }
      app.get(path, inertia.checkAssetVersion, async (c) => {
        // Each page has one address, the only one that the browser's own router knows.
        const { pathname, search } = new URL(c.req.url)
        if (pathname !== '/' && pathname.endsWith('/')) return c.redirect(c.req.path + search, 308)
        if (noindex) c.header('X-Robots-Tag', 'noindex')
        try {
          const elsewhere = await redirect?.(c)
          if (elsewhere) {
            c.header('Cache-Control', 'no-store')
            return c.redirect(elsewhere)
          }
          const props = getProps ? await getProps(c) : {}
          return props
            ? await inertia.render(c, name, props, { noindex: noindex ?? false, preview: describe?.(props) })
            : await renderNotFound(c)
        } catch (error) {
          const { code, retry_after } = toAppError(error)
          if (code !== 'unavailable' || !isFirstVisit(c)) throw error
          c.header('Retry-After', String(retry_after ?? DEFAULT_RETRY_S))
          const options = { status: 503, noindex: true, anonymous: true } as const
          return inertia.render(c, 'Processing' satisfies PageName, {}, options)
        }
      })
    }
  }
  app.notFound(renderNotFound)
}
