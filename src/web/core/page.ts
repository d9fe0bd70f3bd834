import { usePage } from '@inertiajs/react'
import type { PageConfig, SharedProps } from '#contract/pages.ts'

export const useConfig = (): PageConfig => usePage<SharedProps>().props.config

/** Whether who looks is shown why something cannot be used: whoever runs this by themselves. */
export const useIsOperator = (): boolean => useConfig().environment !== 'production'

/** Whether the page is in a frame of another site: whoever looks at it may ask, stop and copy, and no more. */
export const isWidget = (): boolean => location.pathname.startsWith('/widget/')

/** Whether conversations of the page stand in no list: those in a widget, and those with the draft of an agent. */
export const isUnlisted = (): boolean => isWidget() || location.pathname.startsWith('/agent/')

/** The path and query of this page, as the server was asked for it. */
export const usePageUrl = (): URL => new URL(usePage().url, location.origin)
