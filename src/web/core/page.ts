import { usePage } from '@inertiajs/react'
import type { PageConfig, SharedProps } from '#contract/pages.ts'

export const useConfig = (): PageConfig => usePage<SharedProps>().props.config

/** Tells whether to show reasons why something is unavailable: outside of production the reader is probably the operator. */
export const useIsOperator = (): boolean => useConfig().environment !== 'production'

/** Tells whether the page is in a frame of another site, where a visitor may ask, stop and copy, and no more. */
export const isWidget = (): boolean => location.pathname.startsWith('/widget/')

/** Tells whether the page's conversations are left out of lists: those in a widget, and those with an agent's draft. */
export const isUnlisted = (): boolean => isWidget() || location.pathname.startsWith('/agent/')

/** URL of this page, with path and query as requested from the server. */
export const usePageUrl = (): URL => new URL(usePage().url, location.origin)
