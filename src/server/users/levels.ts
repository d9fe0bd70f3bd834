import type { User } from './store.ts'

type Level = User['level']

/** What of the levels a user has counts at a moment, and until when; null: as long as the operator wants. */
export function getCurrentLevel(
  { level, memberships }: Pick<User, 'level' | 'memberships'>,
  at: Date,
): { level: Level; ends_at: string | null } {
  return memberships.find(({ ends_at }) => Date.parse(ends_at) > at.getTime()) ?? { level, ends_at: null }
}

/** Levels by their number: 0 free, then three kinds of membership by month, quarter and year. */
export function getLevelName(level: Level): string {
  const number = Number(level.slice('pro-'.length))
  if (number === 0) return '普通用户'
  return ['极客会员', '专业会员', '企业会员'][(number - 1) % 3]!
}
