import { AppLayout } from './AppLayout.tsx'
import { SiteLayout } from './SiteLayout.tsx'

/** Pages around the product rather than in it: a top bar instead of the sidebar. */
const sitePages = new Set(['Home', 'NotFound', 'ApiReference', 'Charging', 'GatewayGuide', 'Outbox', 'Share'])

/** The layout of a page by its registered name; Inertia keeps it mounted between pages that share it. */
export function resolveLayout(page: string) {
  if (page === 'AuthLogin') return null
  return sitePages.has(page) ? SiteLayout : AppLayout
}
