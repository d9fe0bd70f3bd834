import {
  DRAFT_PREFIX,
  type Draft,
  emptyDraft,
  isEmptyDraft,
  listKeys,
  parseDraft,
  toDraftStorageKey,
} from '#web/core/draftStorage.ts'

const TAB = 'wenqu.tab'
/** Kept over all conversations and tabs; the oldest give way. */
const MAX_DRAFTS = 40

type StoredDraft = Draft & { at: number }
type DraftEntry = StoredDraft & { key: string }
type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
type DraftOptions = {
  tabStorage: DraftStorage
  sharedStorage: DraftStorage
  now: () => number
  createTabId: () => string
}

/**
 * Questions that were written and not yet sent, by conversation and by who is signed in. Each tab keeps its own text (`own` lives as long as the tab and
 * over its reloads), so that two tabs never overwrite each other; a copy in `shared` outlives the tab, and a tab that has
 * written nothing in a conversation begins with the newest of them. Storage may be forbidden or full: then nothing is kept.
 */
export function createDrafts({ tabStorage, sharedStorage, now, createTabId }: DraftOptions) {
  const tab = tryOr(() => tabStorage.getItem(TAB), null) ?? createTabId()
  tryOr(() => tabStorage.setItem(TAB, tab), undefined)
  const listeners = new Set<() => void>()
  const sharedKey = (draftKey: string) => `${toDraftStorageKey(draftKey)}.${tab}`

  return {
    read(draftKey: string): Draft {
      const own = parseDraft(tryOr(() => tabStorage.getItem(toDraftStorageKey(draftKey)), null))
      return own ?? listEntries(sharedStorage, `${toDraftStorageKey(draftKey)}.`)[0] ?? emptyDraft
    },

    write(draftKey: string, { text, blocks }: Draft): void {
      const draft: StoredDraft = { text, blocks, at: now() }
      tryOr(() => tabStorage.setItem(toDraftStorageKey(draftKey), JSON.stringify(draft)), undefined)
      tryOr(() => {
        if (isEmptyDraft(draft)) return sharedStorage.removeItem(sharedKey(draftKey))
        sharedStorage.setItem(sharedKey(draftKey), JSON.stringify(draft))
        for (const { key } of listEntries(sharedStorage, DRAFT_PREFIX).slice(MAX_DRAFTS))
          sharedStorage.removeItem(key)
      }, undefined)
    },

    /** It was sent: gone here, and wherever the same text is kept by a tab that it came from. */
    markSent(draftKey: string, text: string): void {
      this.write(draftKey, emptyDraft)
      tryOr(() => {
        const entries = listEntries(sharedStorage, `${toDraftStorageKey(draftKey)}.`)
        const duplicates = entries.filter((entry) => entry.text === text)
        for (const { key } of duplicates) sharedStorage.removeItem(key)
      }, undefined)
    },

    /** Calls `listener` before all are forgotten: what is still about to be kept must not come back. Returns the unsubscribe function. */
    onClear(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Forgets all of them, for the next person at this browser. */
    clear(): void {
      for (const listener of listeners) listener()
      for (const store of [tabStorage, sharedStorage])
        tryOr(() => {
          for (const key of listKeys(store, DRAFT_PREFIX)) store.removeItem(key)
        }, undefined)
    },
  }
}

/** The newest first. */
function listEntries(store: DraftStorage, prefix: string): DraftEntry[] {
  return tryOr(
    () =>
      listKeys(store, prefix)
        .map((key) => ({
          key,
          ...emptyDraft,
          ...(JSON.parse(store.getItem(key) ?? '') as Partial<Draft> & { at: number }),
        }))
        .sort((a, b) => b.at - a.at),
    [],
  )
}

function tryOr<T>(operation: () => T, fallback: T): T {
  try {
    return operation()
  } catch {
    return fallback
  }
}
