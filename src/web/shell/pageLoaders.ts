import type { ResolvedComponent } from '@inertiajs/react'

type PageModule = { default: ResolvedComponent }

const pages = import.meta.glob<PageModule>(['../pages/*.tsx', '../pages/profile/*.tsx'])

/** Returns the loader of a page by its registered name; a name unknown to this version gets the 404 page. */
export function getPageLoader(name: string): () => Promise<PageModule> {
  const load =
    pages[`../pages/${name}.tsx`] ?? pages[`../pages/profile/${name}.tsx`] ?? pages['../pages/NotFound.tsx']
  if (!load) throw new Error(`No page ${name}`)
  return load
}
