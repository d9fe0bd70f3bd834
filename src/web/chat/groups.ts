import type { ChatSession } from '#contract/chat.ts'

export const ages = ['today', 'yesterday', 'week', 'earlier'] as const
export type Age = (typeof ages)[number]

/** How long ago a moment is, in the reader's own days. */
function ageOf(moment: Date, now: Date): Age {
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)
  if (moment >= midnight(0)) return 'today'
  if (moment >= midnight(1)) return 'yesterday'
  return moment >= midnight(7) ? 'week' : 'earlier'
}

/** Sessions by age, the order within kept; only ages that have some. A session on two pages is listed once. */
export function groupByAge(
  sessions: readonly ChatSession[],
  now: Date,
): { age: Age; sessions: ChatSession[] }[] {
  const once = [...new Map(sessions.map((session) => [session.id, session])).values()]
  const by = Map.groupBy(once, ({ updated_at }) => ageOf(new Date(updated_at), now))
  return ages.flatMap((age) => {
    const some = by.get(age)
    return some ? [{ age, sessions: some }] : []
  })
}
