import { create } from 'zustand'
import { sharedStorage } from '#web/core/browserStorage.ts'
import type * as search from '#contract/web-search.ts'

const KEY = 'wenqu.web_search'
// The contract's constant, without the schema library beside it.
export const WEB_SEARCH: typeof search.WEB_SEARCH = 'web_search'

const useWebSearchStore = create<{ on: boolean }>()(() => ({ on: sharedStorage.getItem(KEY) === 'on' }))

/** Whether questions search the web first: kept in this browser. */
export const useWebSearch = (): boolean => useWebSearchStore((state) => state.on)

export function setWebSearch(on: boolean): void {
  sharedStorage.setItem(KEY, on ? 'on' : 'off')
  useWebSearchStore.setState({ on })
}
