import type { Message } from '#web/conversations/conversations.ts'

/** What is said of an answer; null where it is not known. */
export type Figures = {
  first_text_ms: number | null
  /** Characters a second, from the first to the last. */
  speed: number | null
  /** Of the answer. */
  tokens: number
  /** Coins. */
  amount: number
}

/** The figures of an answer that has ended and was charged. */
export function getFigures({ figures, text }: Pick<Message, 'figures' | 'text'>): Figures | null {
  if (!figures) return null
  const { first_text_ms, duration_ms, output_tokens, amount } = figures
  const ms = duration_ms === null ? 0 : duration_ms - (first_text_ms ?? 0)
  return {
    first_text_ms,
    speed: ms > 0 && text ? (Array.from(text).length * 1000) / ms : null,
    tokens: output_tokens,
    amount,
  }
}

/** Of which figures the best is marked. */
export const compared = ['first_text_ms', 'speed', 'amount'] as const

export const sortKeys = ['order', 'first_text_ms', 'speed', 'tokens', 'amount'] as const
export type SortKey = (typeof sortKeys)[number]

/** The best first: the fastest, the shortest, the cheapest. What is not known comes last, in its own order. */
export function sortByFigure<Item>(
  items: readonly Item[],
  key: SortKey,
  getItemFigures: (item: Item) => Figures | null,
): readonly Item[] {
  if (key === 'order') return items
  const rank = (item: Item): number => {
    const value = getItemFigures(item)?.[key] ?? null
    return value === null ? Infinity : key === 'speed' ? -value : value
  }
  return items.toSorted((a, b) => {
    const [first, second] = [rank(a), rank(b)]
    return first === second ? 0 : first - second
  })
}

/** What answers cost together, coins. Amounts are whole micro-coins: their sum is rounded to one. */
export const sumAmounts = (messages: readonly Pick<Message, 'figures'>[]): number =>
  Math.round(messages.reduce((sum, { figures }) => sum + (figures?.amount ?? 0), 0) * 1e6) / 1e6
