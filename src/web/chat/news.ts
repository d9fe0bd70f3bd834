import type { Turn } from './turns.ts'

/** What a person had seen of a conversation when they left its end. */
export type Seen = { key: string; chars: number }
export type News = { messages: number; chars: number }

const lengthOf = (text: string): number => Array.from(text.replace(/\s/g, '')).length

export const seenOf = (turns: readonly Turn[], text: string): Seen => ({
  key: turns.at(-1)?.key ?? '',
  chars: lengthOf(text),
})

/** What has come since: whole messages, or else characters of the last one. `text` is the last one's as it stands now. */
export function newsSince(turns: readonly Turn[], text: string, { key, chars }: Seen): News {
  const at = turns.findIndex((turn) => turn.key === key)
  const messages = at < 0 ? 0 : turns.length - 1 - at
  return { messages, chars: messages ? 0 : Math.max(0, lengthOf(text) - chars) }
}
