export type ToastMessage = { id: number; kind: 'success' | 'error'; text: string }

/** A success is told as long as a form says it (specification section 4); errors stay longer: they say what to do. */
const DURATION_MS = { success: 2_000, error: 6_000 }
const MAX_TOASTS = 3

let messages: readonly ToastMessage[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setMessages(next: readonly ToastMessage[]): void {
  messages = next
  for (const listener of listeners) listener()
}

export const getToasts = (): readonly ToastMessage[] => messages

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function dismissToast(id: number): void {
  setMessages(messages.filter((note) => note.id !== id))
}

function addToast(kind: ToastMessage['kind'], text: string, duration_ms = DURATION_MS[kind]): void {
  const id = ++lastId
  // The same text again replaces the first: ten failed clicks are one message.
  setMessages([...messages.filter((note) => note.text !== text), { id, kind, text }].slice(-MAX_TOASTS))
  setTimeout(() => dismissToast(id), duration_ms)
}

/** Tells the person something short; goes away by itself. */
export const toast = {
  success: (text: string, duration_ms?: number) => addToast('success', text, duration_ms),
  error: (text: string) => addToast('error', text),
}
