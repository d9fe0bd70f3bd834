import { usePage } from '@inertiajs/react'
import type { PageConfig, SharedProps } from '#contract/pages.ts'

export const useConfig = (): PageConfig => usePage<SharedProps>().props.config

/** The path and query of this page, as the server was asked for it. */
export const usePageUrl = (): URL => new URL(usePage().url, location.origin)
