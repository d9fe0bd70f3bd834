import type { ChatSession } from '#contract/chat.ts'

const sessionGroups = ['pinned', 'today', 'yesterday', 'week', 'earlier'] as const
export type SessionGroup = (typeof sessionGroups)[number]

/** The group of a time, by days in the reader's time zone. */
function getAgeGroup(moment: Date, now: Date): SessionGroup {
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)
  if (moment >= midnight(0)) return 'today'
  if (moment >= midnight(1)) return 'yesterday'
  return moment >= midnight(7) ? 'week' : 'earlier'
}

/**
 * Groups sessions by age, the pinned ones first, keeping the order within each group. Empty groups are left out, and a session
 * that is on two pages is listed once.
 */
export function groupByAge<Session extends Pick<ChatSession, 'id' | 'pinned' | 'updated_at'>>(
  sessions: readonly Session[],
  now: Date,
): { group: SessionGroup; sessions: Session[] }[] {
  const once = [...new Map(sessions.map((session) => [session.id, session])).values()]
  const byGroup = Map.groupBy(once, ({ pinned, updated_at }) =>
    pinned ? 'pinned' : getAgeGroup(new Date(updated_at), now),
  )
  return sessionGroups.flatMap((group) => {
    const members = byGroup.get(group)
    return members ? [{ group, sessions: members }] : []
  })
}
