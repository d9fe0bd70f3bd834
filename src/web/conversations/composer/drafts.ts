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
/** Limit over all conversations and tabs; the oldest are removed. */
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
 * Unsent questions by conversation and user. Each tab keeps its own text in `tabStorage`, which survives reloads, so that two
 * tabs never overwrite each other. A copy in `sharedStorage` outlives the tab, and a tab without a text of its own begins with
 * the newest copy. Where storage is forbidden or full, nothing is kept.
 */
export function createDrafts({ tabStorage, sharedStorage, now, createTabId }: DraftOptions) {
  const tab = tryOr(() => tabStorage.getItem(TAB), null) ?? createTabId()
  tryOr(() => tabStorage.setItem(TAB, tab), undefined)
  const listeners = new Set<() => void>()
  const sharedKey = (draftKey: string) => `${toDraftStorageKey(draftKey)}.${tab}`

  return {
    read(draftKey: string): Draft {
      const tabDraft = parseDraft(tryOr(() => tabStorage.getItem(toDraftStorageKey(draftKey)), null))
      return tabDraft ?? listEntries(sharedStorage, `${toDraftStorageKey(draftKey)}.`)[0] ?? emptyDraft
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

    /** Removes a sent draft here, and its copies from other tabs that have the same text. */
    markSent(draftKey: string, text: string): void {
      this.write(draftKey, emptyDraft)
      tryOr(() => {
        const entries = listEntries(sharedStorage, `${toDraftStorageKey(draftKey)}.`)
        const duplicates = entries.filter((entry) => entry.text === text)
        for (const { key } of duplicates) sharedStorage.removeItem(key)
      }, undefined)
    },

    /** Calls `listener` before all drafts are removed, so that pending saves are dropped. Returns the unsubscribe function. */
    onClear(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Removes all drafts, for the next person at this browser. */
    clear(): void {
      for (const listener of listeners) listener()
      for (const store of [tabStorage, sharedStorage])
        tryOr(() => {
          for (const key of listKeys(store, DRAFT_PREFIX)) store.removeItem(key)
        }, undefined)
    },
  }
}

/** Sorted, the newest first. */
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
