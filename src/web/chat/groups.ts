import type { ChatSession } from '#contract/chat.ts'

export const groups = ['pinned', 'today', 'yesterday', 'week', 'earlier'] as const
export type Group = (typeof groups)[number]

/** How long ago a moment is, in the reader's own days. */
function ageOf(moment: Date, now: Date): Group {
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)
  if (moment >= midnight(0)) return 'today'
  if (moment >= midnight(1)) return 'yesterday'
  return moment >= midnight(7) ? 'week' : 'earlier'
}

/**
 * Sessions by age, the pinned ones before all; the order within kept; only groups that have some. A session on two pages
 * is listed once.
 */
export function groupByAge(
  sessions: readonly ChatSession[],
  now: Date,
): { group: Group; sessions: ChatSession[] }[] {
  const once = [...new Map(sessions.map((session) => [session.id, session])).values()]
  const by = Map.groupBy(once, ({ pinned, updated_at }) =>
    pinned ? 'pinned' : ageOf(new Date(updated_at), now),
  )
  return groups.flatMap((group) => {
    const some = by.get(group)
    return some ? [{ group, sessions: some }] : []
  })
}
