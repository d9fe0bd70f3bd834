import { usePage } from '@inertiajs/react'
import type { UserInfo } from '#contract/users.ts'

export type PageConfig = {
  app_url: string
  environment: 'development' | 'production' | 'test'
  /** Turns a day that a visitor may try without signing in. */
  guest_turns: number
  /** Answers may search the web first. */
  web_search: boolean
  /** A model that speaks is configured. */
  read_aloud: boolean
}

/** What the server sends with every page. */
export type SharedProps = { user: UserInfo | null; config: PageConfig; errors: Record<string, string> }

export const useConfig = (): PageConfig => usePage<SharedProps>().props.config

/** The path and query of this page, as the server was asked for it. */
export const usePageUrl = (): URL => new URL(usePage().url, location.origin)
