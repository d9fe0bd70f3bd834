import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'
import type * as search from '#contract/web-search.ts'

const KEY = 'wenqu.web_search'
// The contract's constant, copied to keep the schema library out of the bundle.
export const WEB_SEARCH: typeof search.WEB_SEARCH = 'web_search'

const useWebSearchStore = create<{ on: boolean }>()(() => ({ on: sharedStorage.getItem(KEY) === 'on' }))

/** Tells whether questions search the web first; stored in this browser. */
export const useWebSearch = (): boolean => useWebSearchStore((state) => state.on)

export function setWebSearch(on: boolean): void {
  sharedStorage.setItem(KEY, on ? 'on' : 'off')
  useWebSearchStore.setState({ on })
}
