import { createDrafts } from './drafts.ts'

/** The drafts of this tab. */
export const drafts = createDrafts({
  tabStorage: sessionStorage,
  sharedStorage: localStorage,
  now: Date.now,
  createTabId: () => crypto.getRandomValues(new Uint32Array(2)).join('-'),
})
