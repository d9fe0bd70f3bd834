/** What can still be done about it. */
type ToastAction = { label: string; run: () => void }
export type ToastMessage = { id: number; kind: 'success' | 'error'; text: string; action?: ToastAction }

/** Whoever may undo something is given the time to read that. */
const ACTION_DURATION_MS = 10_000
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

function addToast(
  { kind, text, action }: Omit<ToastMessage, 'id'>,
  durationMs = action ? ACTION_DURATION_MS : DURATION_MS[kind],
): void {
  const id = ++lastId
  const toast = { id, kind, text, ...(action ? { action } : {}) }
  // The same text again replaces the first: ten failed clicks are one message.
  setMessages([...messages.filter((note) => note.text !== text), toast].slice(-MAX_TOASTS))
  setTimeout(() => dismissToast(id), durationMs)
}

/** Tells the person something short; goes away by itself. */
export const toast = {
  success: (text: string, durationMs?: number) => addToast({ kind: 'success', text }, durationMs),
  error: (text: string) => addToast({ kind: 'error', text }),
  /** What was done, and how it is undone. */
  undoable: (text: string, action: ToastAction) => addToast({ kind: 'success', text, action }),
}
