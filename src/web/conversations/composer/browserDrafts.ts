import { sharedStorage, tabStorage } from '#web/core/browserStorage.ts'
import { createDrafts } from './drafts.ts'

export const drafts = createDrafts({
  tabStorage,
  sharedStorage,
  now: Date.now,
  createTabId: () => crypto.getRandomValues(new Uint32Array(2)).join('-'),
})
