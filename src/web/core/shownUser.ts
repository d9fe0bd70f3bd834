import { useSyncExternalStore } from 'react'
import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { identity } from './api.ts'
import { tabStorage } from './browserStorage.ts'
import { adoptDrafts, DRAFT_PREFIX } from './draftStorage.ts'

// Has the drafts' prefix, so that it is removed with them on sign-out.
const KEY = `${DRAFT_PREFIX}@shown`

let hasStarted = false
let hasEnded = false
const listeners = new Set<() => void>()

function setEnded(next: boolean): void {
  hasEnded = next
  for (const listener of listeners) listener()
}

/**
 * Must be called for each page before it is drawn, with the uuid of its signed-in user. Returns false where that is another user
 * than this document showed before, whose data may still be in its memory.
 */
export function showUser(uuid: string | null): boolean {
  if (hasStarted) return uuid === (identity.headers[SHOWN_USER_HEADER] ?? null)
  hasStarted = true
  if (uuid === null) {
    // The tab showed a user who has not signed out.
    hasEnded = tabStorage.getItem(KEY) !== null
    return true
  }
  identity.headers[SHOWN_USER_HEADER] = uuid
  identity.onSignInEnded = () => setEnded(true)
  // The user may have signed in again in another tab.
  identity.onSignedIn = () => hasEnded && setEnded(false)
  adoptDrafts(uuid)
  tabStorage.setItem(KEY, uuid)
  return true
}

/** Tells whether the session of a user who has not signed out has ended. */
export const useHasSignInEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasEnded,
    () => false,
  )

/** Goes on as a guest. */
export function dismissSignInEnd(): void {
  tabStorage.removeItem(KEY)
  setEnded(false)
}
