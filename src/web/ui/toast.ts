export type ToastNote = { id: number; kind: 'success' | 'error'; text: string }

/** Errors stay longer: they say what to do. */
const LIFE_MS = { success: 3_000, error: 6_000 }
const AT_MOST = 3

let notes: readonly ToastNote[] = []
let lastId = 0
const watchers = new Set<() => void>()

function set(next: readonly ToastNote[]): void {
  notes = next
  for (const watcher of watchers) watcher()
}

export const toasts = (): readonly ToastNote[] => notes

export function watchToasts(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function dismiss(id: number): void {
  set(notes.filter((note) => note.id !== id))
}

function add(kind: ToastNote['kind'], text: string, life_ms = LIFE_MS[kind]): void {
  const id = ++lastId
  // The same text again replaces the first: ten failed clicks are one message.
  set([...notes.filter((note) => note.text !== text), { id, kind, text }].slice(-AT_MOST))
  setTimeout(() => dismiss(id), life_ms)
}

/** Tells the person something short; goes away by itself. */
export const toast = {
  success: (text: string, life_ms?: number) => add('success', text, life_ms),
  error: (text: string) => add('error', text),
}
