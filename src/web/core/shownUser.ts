import { useSyncExternalStore } from 'react'
import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { identity } from './api.ts'
import { tabStorage } from './browserStorage.ts'
import { adoptDrafts, DRAFT_PREFIX } from './draftStorage.ts'

// Below the drafts' own prefix: it is forgotten with them when somebody signs out.
const KEY = `${DRAFT_PREFIX}@shown`

let hasStarted = false
let hasEnded = false
const listeners = new Set<() => void>()

function setEnded(next: boolean): void {
  hasEnded = next
  for (const listener of listeners) listener()
}

/**
 * Told of each page before it is drawn: whom it shows as signed in, by uuid. False where that is not whom this document showed
 * before: nothing of the one may stay in its memory for the other.
 */
export function showUser(uuid: string | null): boolean {
  if (hasStarted) return uuid === (identity.headers[SHOWN_USER_HEADER] ?? null)
  hasStarted = true
  if (uuid === null) {
    // The tab showed somebody who has not signed out.
    hasEnded = tabStorage.getItem(KEY) !== null
    return true
  }
  identity.headers[SHOWN_USER_HEADER] = uuid
  identity.onSignInEnded = () => setEnded(true)
  // They may have signed in again in another tab.
  identity.onSignedIn = () => hasEnded && setEnded(false)
  adoptDrafts(uuid)
  tabStorage.setItem(KEY, uuid)
  return true
}

/** Tells whether somebody who has not signed out is signed in no more. */
export const useHasSignInEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasEnded,
    () => false,
  )

/** Whoever is here goes on without an account. */
export function dismissSignInEnd(): void {
  tabStorage.removeItem(KEY)
  setEnded(false)
}
