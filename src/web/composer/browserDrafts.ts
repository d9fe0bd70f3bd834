import { sharedStorage, tabStorage } from '#web/core/browserStorage.ts'
import { createDrafts } from './drafts.ts'

/** The drafts of this tab. */
export const drafts = createDrafts({
  tabStorage,
  sharedStorage,
  now: Date.now,
  createTabId: () => crypto.getRandomValues(new Uint32Array(2)).join('-'),
})
