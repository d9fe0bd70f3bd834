/** Place of what is written before a conversation has a session. */
export const NEW_CHAT = 'new'

const PREFIX = 'wenqu.draft.'
const TAB = 'wenqu.tab'
/** Kept over all conversations and tabs; the oldest give way. */
const MOST_KEPT = 40

type Kept = { text: string; at: number }
type Entry = Kept & { key: string }
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
type Options = { own: Store; shared: Store; now: () => number; newTab: () => string }

/**
 * What was written and not yet sent, by conversation. Each tab keeps its own text (`own` lives as long as the tab and
 * over its reloads), so that two tabs never overwrite each other; a copy in `shared` outlives the tab, and a tab that has
 * written nothing in a conversation begins with the newest of them. Storage may be forbidden or full: then nothing is kept.
 */
export function openDrafts({ own, shared, now, newTab }: Options) {
  const tab = attempt(() => own.getItem(TAB), null) ?? newTab()
  attempt(() => own.setItem(TAB, tab), undefined)
  const listeners = new Set<() => void>()
  const sharedKey = (place: string) => `${PREFIX}${place}.${tab}`

  return {
    read(place: string): string {
      const mine = attempt(() => own.getItem(PREFIX + place), null)
      if (mine !== null) return mine
      return entriesOf(shared, `${PREFIX}${place}.`)[0]?.text ?? ''
    },

    write(place: string, text: string): void {
      attempt(() => own.setItem(PREFIX + place, text), undefined)
      attempt(() => {
        if (!text.trim()) return shared.removeItem(sharedKey(place))
        shared.setItem(sharedKey(place), JSON.stringify({ text, at: now() } satisfies Kept))
        for (const { key } of entriesOf(shared, PREFIX).slice(MOST_KEPT)) shared.removeItem(key)
      }, undefined)
    },

    /** It was sent: gone here, and wherever the same text is kept by a tab that it came from. */
    sent(place: string, text: string): void {
      this.write(place, '')
      attempt(() => {
        const same = entriesOf(shared, `${PREFIX}${place}.`).filter((entry) => entry.text === text)
        for (const { key } of same) shared.removeItem(key)
      }, undefined)
    },

    /** Calls `listener` before all are forgotten: what is still about to be kept must not come back. Returns the way to stop. */
    onForget(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Forgets all of them, for the next person at this browser. */
    forget(): void {
      for (const listener of listeners) listener()
      for (const store of [own, shared])
        attempt(() => {
          for (const key of keysOf(store, PREFIX)) store.removeItem(key)
        }, undefined)
    },
  }
}

function keysOf(store: Store, prefix: string): string[] {
  const keys = Array.from({ length: store.length }, (_, n) => store.key(n) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}

/** The newest first. */
function entriesOf(store: Store, prefix: string): Entry[] {
  return attempt(
    () =>
      keysOf(store, prefix)
        .map((key) => ({ key, ...(JSON.parse(store.getItem(key) ?? '') as Kept) }))
        .sort((a, b) => b.at - a.at),
    [],
  )
}

function attempt<T>(what: () => T, otherwise: T): T {
  try {
    return what()
  } catch {
    return otherwise
  }
}
