import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { identity } from './api.ts'
import { sharedStorage, tabStorage } from './browserStorage.ts'

/** An unsent question: its text, and the ids of its blocks. */
export type Draft = { text: string; blocks: readonly string[] }
export const emptyDraft: Draft = { text: '', blocks: [] }

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Prefix of all keys that are removed when somebody signs out. */
export const DRAFT_PREFIX = 'wenqu.draft.'
const toOwnPrefix = (uuid: string): string => `${DRAFT_PREFIX}@${uuid}.`

/** Storage key of a draft. A user's drafts have keys of their own, which no guest or other user reads. */
export function toDraftStorageKey(name: string): string {
  const uuid = identity.headers[SHOWN_USER_HEADER]
  return (uuid ? toOwnPrefix(uuid) : DRAFT_PREFIX) + name
}

export const isEmptyDraft = ({ text, blocks }: Draft): boolean => !text.trim() && !blocks.length

/** Parses a stored draft, null where there is none. Plain text is a draft too. */
export function parseDraft(storedText: string | null): Draft | null {
  if (storedText === null) return null
  try {
    const { text, blocks = [] } = JSON.parse(storedText) as Partial<Draft>
    if (typeof text === 'string') return { text, blocks }
  } catch {
    // Not JSON but plain text.
  }
  return { text: storedText, blocks: [] }
}

/** Joins drafts into one, for one field. */
export const joinDrafts = (drafts: readonly Draft[]): Draft => ({
  text: drafts
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n'),
  blocks: [...new Set(drafts.flatMap(({ blocks }) => blocks))],
})

/** Stores a draft in this tab under a name. */
export const saveDraft = (name: string, draft: Draft): void =>
  tabStorage.setItem(toDraftStorageKey(name), JSON.stringify(draft))

export const readDraft = (name: string): Draft =>
  parseDraft(tabStorage.getItem(toDraftStorageKey(name))) ?? emptyDraft

/** Returns a stored draft and removes it. */
export function takeDraft(name: string): Draft {
  const draft = readDraft(name)
  tabStorage.removeItem(toDraftStorageKey(name))
  return draft
}

/** Gives a guest's drafts in this browser to the user who has signed in, and removes those of other users. */
export function adoptDrafts(uuid: string): void {
  const ownPrefix = toOwnPrefix(uuid)
  for (const storage of [tabStorage, sharedStorage])
    for (const key of listKeys(storage, DRAFT_PREFIX)) {
      if (key.startsWith(ownPrefix)) continue
      const storedDraft = parseDraft(storage.getItem(key))
      storage.removeItem(key)
      if (!storedDraft || key.startsWith(`${DRAFT_PREFIX}@`)) continue
      const ownKey = ownPrefix + key.slice(DRAFT_PREFIX.length)
      const ownDraft = parseDraft(storage.getItem(ownKey)) ?? emptyDraft
      storage.setItem(ownKey, JSON.stringify({ at: Date.now(), ...joinDrafts([ownDraft, storedDraft]) }))
    }
}

export function listKeys(storage: DraftStorage, prefix: string): string[] {
  const keys = Array.from({ length: storage.length }, (_, n) => storage.key(n) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}
