/** A follow-up action, such as undoing. */
type ToastAction = { label: string; run: () => void }
export type ToastMessage = { id: number; kind: 'success' | 'error'; text: string; action?: ToastAction }

/** Long enough to read the message and undo. */
const ACTION_DURATION_MS = 10_000
/** A success is shown as long as in a form (specification section 4), errors longer, because they say what to do. */
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
  // Replaces a toast with the same text: ten failed clicks are one message.
  setMessages([...messages.filter((note) => note.text !== text), toast].slice(-MAX_TOASTS))
  setTimeout(() => dismissToast(id), durationMs)
}

/** Shows a short message that disappears by itself. */
export const toast = {
  success: (text: string, durationMs?: number) => addToast({ kind: 'success', text }, durationMs),
  error: (text: string) => addToast({ kind: 'error', text }),
  /** Tells what was done, and offers to undo it. */
  undoable: (text: string, action: ToastAction) => addToast({ kind: 'success', text, action }),
}
