import type { Message } from '#web/conversations/conversations.ts'

/** Measurements of an answer; null where unknown. */
export type Figures = {
  first_text_ms: number | null
  /** Characters per second, from the first to the last. */
  speed: number | null
  /** Output tokens. */
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

/** The figures whose best value is marked. */
export const compared = ['first_text_ms', 'speed', 'amount'] as const

export const sortKeys = ['order', 'first_text_ms', 'speed', 'tokens', 'amount'] as const
export type SortKey = (typeof sortKeys)[number]

/** Sorts the best first: the fastest, shortest or cheapest. Items without the figure come last, in their own order. */
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

/** Total cost of answers, coins, rounded to whole micro-coins, in which the amounts are. */
export const sumAmounts = (messages: readonly Pick<Message, 'figures'>[]): number =>
  Math.round(messages.reduce((sum, { figures }) => sum + (figures?.amount ?? 0), 0) * 1e6) / 1e6
