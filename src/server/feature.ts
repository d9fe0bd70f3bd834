import type { calls } from '#contract/calls.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Assistants } from '#server/conversations/conversations.ts'
import type { Db } from '#server/core/database/database.ts'
import type { App, Handlers, VisitorResolver } from '#server/core/http.ts'
import type { PagePropsProviders, PagePreviews, PageRedirects } from '#server/core/pages/pages.ts'
import type { CompletionHooks } from '#server/runs/runs.ts'
import type { RequestHandler } from './listen.ts'

type ContractCalls = typeof calls

/**
 * A feature as app.ts and start.ts see it; features.ts lists all of them. A feature that only answers calls is one line:
 *
 *     const prompts: Feature = { calls: { prompts: promptRoutes(createPrompts({ db })) } }
 */
export type Feature = {
  /** Handlers of its calls, by their name in the contract (src/contract/calls.ts). */
  calls?: { [F in keyof ContractCalls]?: Handlers<ContractCalls[F]> }
  /** Identifies the visitor of its calls in a way of its own, such as a key; gets the app's way. */
  identify?: { [F in keyof ContractCalls]?: (own: VisitorResolver) => VisitorResolver }
  /** Gets requests before the app, on node:http. */
  tryHandle?: RequestHandler
  /** Mounts routes that are neither calls nor pages. */
  mount?(app: App): void
  /** Props of its pages; null gives the page 404. */
  pages?: Partial<PagePropsProviders>
  redirects?: PageRedirects
  previews?: PagePreviews
  /** Hooks of its kinds of runs, called in the transaction that settles them; null for a kind that leaves only a bill. */
  completionHooks?: Partial<CompletionHooks>
  /** Assistants that answer in conversations, by their channel. */
  assistants?: Assistants
  /** Its part of the archive of a person's data. */
  archive?: ArchivePart
  /** Gives what a guest has to the account that the guest signed in to. */
  mergeGuest?: (tx: Db, guestId: string, userId: string) => Promise<void>
  /** Removes what has expired; called every hour. */
  sweep?(): Promise<unknown>
  /** Called when the server stops, after its last request. */
  close?(): Promise<void>
}
