import { openDrafts } from './drafts.ts'

/** The drafts of this tab. */
export const drafts = openDrafts({
  own: sessionStorage,
  shared: localStorage,
  now: Date.now,
  newTab: () => crypto.getRandomValues(new Uint32Array(2)).join('-'),
})
