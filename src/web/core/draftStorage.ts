import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { identity } from './api.ts'
import { sharedStorage, tabStorage } from './browserStorage.ts'

/** A question that was written and not sent: its text, and the ids of the blocks beside it. */
export type Draft = { text: string; blocks: readonly string[] }
export const emptyDraft: Draft = { text: '', blocks: [] }

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Below it stands all that is forgotten when somebody signs out. */
export const DRAFT_PREFIX = 'wenqu.draft.'
const toOwnPrefix = (uuid: string): string => `${DRAFT_PREFIX}@${uuid}.`

/** Names the place of a draft: those of a user have one of their own, in which neither a guest nor another user looks. */
export function toDraftStorageKey(name: string): string {
  const uuid = identity.headers[SHOWN_USER_HEADER]
  return (uuid ? toOwnPrefix(uuid) : DRAFT_PREFIX) + name
}

export const isEmptyDraft = ({ text, blocks }: Draft): boolean => !text.trim() && !blocks.length

/** A draft as it was stored, if it was. A text that stands by itself is one too. */
export function parseDraft(stored: string | null): Draft | null {
  if (stored === null) return null
  try {
    const { text, blocks = [] } = JSON.parse(stored) as Partial<Draft>
    if (typeof text === 'string') return { text, blocks }
  } catch {
    // A text.
  }
  return { text: stored, blocks: [] }
}

/** Several drafts as one, for one field. */
export const joinDrafts = (drafts: readonly Draft[]): Draft => ({
  text: drafts
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n'),
  blocks: [...new Set(drafts.flatMap(({ blocks }) => blocks))],
})

/** Keeps a draft in this tab under a name. */
export const saveDraft = (name: string, draft: Draft): void =>
  tabStorage.setItem(toDraftStorageKey(name), JSON.stringify(draft))

export const readDraft = (name: string): Draft =>
  parseDraft(tabStorage.getItem(toDraftStorageKey(name))) ?? emptyDraft

/** The kept draft, once. */
export function takeDraft(name: string): Draft {
  const draft = readDraft(name)
  tabStorage.removeItem(toDraftStorageKey(name))
  return draft
}

/** Somebody is signed in: what a guest wrote here is theirs, and what another user wrote goes. */
export function adoptDrafts(uuid: string): void {
  const ownPrefix = toOwnPrefix(uuid)
  for (const storage of [tabStorage, sharedStorage])
    for (const key of listKeys(storage, DRAFT_PREFIX)) {
      if (key.startsWith(ownPrefix)) continue
      const stored = parseDraft(storage.getItem(key))
      storage.removeItem(key)
      if (!stored || key.startsWith(`${DRAFT_PREFIX}@`)) continue
      const ownKey = ownPrefix + key.slice(DRAFT_PREFIX.length)
      const own = parseDraft(storage.getItem(ownKey)) ?? emptyDraft
      storage.setItem(ownKey, JSON.stringify({ at: Date.now(), ...joinDrafts([own, stored]) }))
    }
}

export function listKeys(storage: DraftStorage, prefix: string): string[] {
  const keys = Array.from({ length: storage.length }, (_, n) => storage.key(n) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}
