import { pages, type PageDefinition, type PageName } from '#contract/pages.ts'
import { AppLayout } from './AppLayout.tsx'

const layouts = { app: AppLayout, none: null } satisfies Record<PageDefinition['layout'], unknown>

/** Returns the layout of a page by its registered name. Inertia keeps it mounted between pages that share it. */
export const resolveLayout = (name: string) => layouts[(pages[name as PageName] ?? pages.NotFound).layout]
