import { startTransition, useEffect, useState } from 'react'

/** What an answer has come to: its text, what was thought before it, and for how long. */
export type Live = { text: string; reasoning: string; reasoning_ms: number | null }

/** The growing answers by message id, apart from the conversations: only their own rows follow them. */
const growing = new Map<string, Live>()
const watchers = new Map<string, Set<() => void>>()

export function setLive(id: string, live: Live | null): void {
  if (live === null) growing.delete(id)
  else growing.set(id, live)
  for (const watcher of watchers.get(id) ?? []) watcher()
}

/** The text of an answer that grows now. */
export const liveText = (id: string): string | undefined => growing.get(id)?.text

/** Calls `watcher` whenever an answer grows or is over. Returns the way to stop. */
export function watchLive(id: string, watcher: () => void): () => void {
  const some = watchers.get(id) ?? new Set()
  watchers.set(id, some.add(watcher))
  return () => {
    some.delete(watcher)
    if (!some.size) watchers.delete(id)
  }
}

/** An answer while it grows, else what is stored of it. Updates are transitions: typing and scrolling come first. */
export function useLive<Stored extends Live & { id: string }>(stored: Stored): Live {
  const { id } = stored
  const [live, setShown] = useState(() => growing.get(id))
  useEffect(() => {
    const update = () => startTransition(() => setShown(growing.get(id)))
    update()
    return watchLive(id, update)
  }, [id])
  return live ?? stored
}
