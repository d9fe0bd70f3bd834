import type { User } from './store.ts'

type Level = User['level']

/** Returns a level's rank from 1 to 3, whatever its period; 0 is free. */
export const getRank = (level: Level): number => {
  const number = Number(level.slice('pro-'.length))
  return number === 0 ? 0 : ((number - 1) % 3) + 1
}

/**
 * Returns a user's highest level at a moment, and its end: a bought one, or the operator's gift (null: for as long as the
 * operator wants).
 */
export function getCurrentLevel(
  { level, memberships }: Pick<User, 'level' | 'memberships'>,
  at: Date,
): { level: Level; ends_at: string | null } {
  const bought = memberships.find(({ ends_at }) => Date.parse(ends_at) > at.getTime())
  return bought && getRank(bought.level) >= getRank(level) ? bought : { level, ends_at: null }
}

/** Returns a level's name. By number: 0 free, then three kinds of membership by month, quarter and year. */
export function getLevelName(level: Level): string {
  return ['普通用户', '极客会员', '专业会员', '企业会员'][getRank(level)]!
}
