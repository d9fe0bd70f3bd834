/** Place of what is written before a conversation has a session. */
export const NEW_CHAT = 'new'

const PREFIX = 'wenqu.draft.'
const TAB = 'wenqu.tab'
/** Kept over all conversations and tabs; the oldest give way. */
const MAX_DRAFTS = 40

type StoredDraft = { text: string; at: number }
type DraftEntry = StoredDraft & { key: string }
type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
type DraftOptions = {
  tabStorage: DraftStorage
  sharedStorage: DraftStorage
  now: () => number
  createTabId: () => string
}

/**
 * What was written and not yet sent, by conversation. Each tab keeps its own text (`own` lives as long as the tab and
 * over its reloads), so that two tabs never overwrite each other; a copy in `shared` outlives the tab, and a tab that has
 * written nothing in a conversation begins with the newest of them. Storage may be forbidden or full: then nothing is kept.
 */
export function createDrafts({ tabStorage, sharedStorage, now, createTabId }: DraftOptions) {
  const tab = tryOr(() => tabStorage.getItem(TAB), null) ?? createTabId()
  tryOr(() => tabStorage.setItem(TAB, tab), undefined)
  const listeners = new Set<() => void>()
  const sharedKey = (draftKey: string) => `${PREFIX}${draftKey}.${tab}`

  return {
    read(draftKey: string): string {
      const ownText = tryOr(() => tabStorage.getItem(PREFIX + draftKey), null)
      if (ownText !== null) return ownText
      return listEntries(sharedStorage, `${PREFIX}${draftKey}.`)[0]?.text ?? ''
    },

    write(draftKey: string, text: string): void {
      tryOr(() => tabStorage.setItem(PREFIX + draftKey, text), undefined)
      tryOr(() => {
        if (!text.trim()) return sharedStorage.removeItem(sharedKey(draftKey))
        sharedStorage.setItem(sharedKey(draftKey), JSON.stringify({ text, at: now() } satisfies StoredDraft))
        for (const { key } of listEntries(sharedStorage, PREFIX).slice(MAX_DRAFTS))
          sharedStorage.removeItem(key)
      }, undefined)
    },

    /** It was sent: gone here, and wherever the same text is kept by a tab that it came from. */
    markSent(draftKey: string, text: string): void {
      this.write(draftKey, '')
      tryOr(() => {
        const duplicates = listEntries(sharedStorage, `${PREFIX}${draftKey}.`).filter(
          (entry) => entry.text === text,
        )
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
          for (const key of listKeys(store, PREFIX)) store.removeItem(key)
        }, undefined)
    },
  }
}

function listKeys(store: DraftStorage, prefix: string): string[] {
  const keys = Array.from({ length: store.length }, (_, n) => store.key(n) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}

/** The newest first. */
function listEntries(store: DraftStorage, prefix: string): DraftEntry[] {
  return tryOr(
    () =>
      listKeys(store, prefix)
        .map((key) => ({ key, ...(JSON.parse(store.getItem(key) ?? '') as StoredDraft) }))
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
