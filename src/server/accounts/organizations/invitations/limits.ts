import {
  DAILY_INVITATIONS,
  DAILY_INVITATIONS_BY_CLIENT,
  DAILY_INVITATIONS_TO_MAILBOX,
} from '#contract/organizations/limits.ts'
import type { LimitedKey } from '#server/core/limits/limits.ts'

const DAY_S = 86_400

/** Limits of an invitation, in the order in which the inviter learns of them. */
export type InvitationLimit = 'account' | 'client' | 'house' | 'mailbox'

type Invited = {
  user_id: string
  client_hash: string
  mailbox_hash: string
  has_paid: boolean
  operator_max: number
}

/** Returns the limits of an invitation mail, each over 24 hours. */
export function toLimitedKeys({
  user_id,
  client_hash,
  mailbox_hash,
  has_paid,
  operator_max,
}: Invited): LimitedKey[] {
  const payer = has_paid ? 'paid' : 'unpaid'
  const limit = (name: InvitationLimit, of: string, max: number): LimitedKey => ({
    key: `invitation:${name}:${of}`,
    limits: [{ max, seconds: DAY_S }],
  })
  return [
    limit('account', user_id, DAILY_INVITATIONS[payer]),
    limit('client', client_hash, DAILY_INVITATIONS_BY_CLIENT[payer]),
    limit('house', '', operator_max),
    limit('mailbox', mailbox_hash, DAILY_INVITATIONS_TO_MAILBOX),
  ]
}

export const getLimitName = (key: string): InvitationLimit => key.split(':')[1] as InvitationLimit

/** Explains to the inviter why an address was sent no mail. */
export function describeLimit(limit: InvitationLimit, hasPaid: boolean): string {
  switch (limit) {
    case 'account':
      return hasPaid
        ? `一个账号 24 小时内最多发 ${DAILY_INVITATIONS.paid} 封邀请`
        : `一个账号 24 小时内最多发 ${DAILY_INVITATIONS.unpaid} 封邀请，充值过的账号 ${DAILY_INVITATIONS.paid} 封`
    case 'client':
      return '你所在的网络 24 小时内发出的邀请已达上限'
    case 'house':
      return '本站 24 小时内发出的邀请已达上限'
    case 'mailbox':
      return `一个邮箱 24 小时内最多收到 ${DAILY_INVITATIONS_TO_MAILBOX} 封邀请`
  }
}
