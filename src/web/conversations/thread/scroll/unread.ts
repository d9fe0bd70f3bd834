import type { Message } from '#web/conversations/conversations.ts'

/** The last message at the time the person left the end, and its visible characters so far. */
export type ReadMarker = { key: string; chars: number }
export type UnreadCount = { messageCount: number; chars: number }

const countChars = (text: string): number => Array.from(text.replace(/\s/g, '')).length

export const createReadMarker = (messages: readonly Message[], text: string): ReadMarker => ({
  key: messages.at(-1)?.key ?? '',
  chars: countChars(text),
})

/** Counts new messages since then, or else new characters of the last one, whose current text is `text`. */
export function countUnread(
  messages: readonly Message[],
  text: string,
  { key, chars }: ReadMarker,
): UnreadCount {
  const index = messages.findIndex((message) => message.key === key)
  const messageCount = index < 0 ? 0 : messages.length - 1 - index
  return { messageCount, chars: messageCount ? 0 : Math.max(0, countChars(text) - chars) }
}
