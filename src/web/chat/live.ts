import { startTransition, useEffect, useState } from 'react'

/** The growing texts of answers by message id, apart from the conversations: only their own rows follow them. */
const texts = new Map<string, string>()
const watchers = new Map<string, Set<() => void>>()

export function setLive(id: string, text: string | null): void {
  if (text === null) texts.delete(id)
  else texts.set(id, text)
  for (const watcher of watchers.get(id) ?? []) watcher()
}

export const liveText = (id: string): string | undefined => texts.get(id)

function watch(id: string, watcher: () => void): () => void {
  const some = watchers.get(id) ?? new Set()
  watchers.set(id, some.add(watcher))
  return () => {
    some.delete(watcher)
    if (!some.size) watchers.delete(id)
  }
}

/** The text of an answer while it grows, else `stored`. Updates are transitions: typing and scrolling come first. */
export function useLiveText(id: string, stored: string): string {
  const [text, setText] = useState(() => texts.get(id))
  useEffect(() => {
    const update = () => startTransition(() => setText(texts.get(id)))
    update()
    return watch(id, update)
  }, [id])
  return text ?? stored
}
