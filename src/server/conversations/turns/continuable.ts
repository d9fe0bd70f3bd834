import type { MessageRow } from '../store.ts'

/** Whether an answer ended before it was whole, with something to go on from. */
export function isContinuable({
  role,
  text,
  status,
  finish,
}: Pick<MessageRow, 'role' | 'text' | 'status' | 'finish'>): boolean {
  if (role !== 'ai' || !text || status === 'typing') return false
  return status !== 'done' || finish === 'length'
}
