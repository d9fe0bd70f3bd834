import type { creditCalls } from '#contract/credit/credit.ts'
import type { CallResponse } from '#contract/call.ts'
import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { creditAccount } from '#server/ledger/ledger.ts'
import { notify } from '#server/notifications/notifications.ts'
import { claimInviteReward } from '#server/accounts/users/users.ts'
import { listInvited, listUnrewarded, sumInvitations } from './store.ts'

const MAX_REWARDS = 100
const MAX_LISTED = 20

/**
 * Gives coins to inviters of people who have paid an order: once for each new account, and for none that only signed up, since
 * anybody can create those. A job does this, so that a payment locks no account but the payer's.
 */
export async function rewardInviters(db: Db, coins: number): Promise<void> {
  const amount = toMicroCoins(coins)
  if (amount <= 0n) return
  for (const invited of await listUnrewarded(db, MAX_REWARDS)) {
    await db.transaction(async (tx) => {
      const inviter = await claimInviteReward(tx, invited)
      if (!inviter || !(await creditAccount(tx, { user_id: inviter, amount, kind: 'reward' }))) return
      const text = `你邀请的朋友完成了首次付款，${coins} 金币的奖励已经到账。`
      await notify(tx, inviter, { channel: 'credit', title: '邀请奖励', text, link: '/profile/transactions' })
    })
  }
}

/** Returns the results of a user's invitations, each of which earns `reward` coins. */
export async function getInvitations(
  db: Db,
  userId: string,
  reward: number,
): Promise<CallResponse<(typeof creditCalls)['GET /api/user/invitations']>> {
  const [{ earned, ...counts }, items] = await Promise.all([
    sumInvitations(db, userId),
    listInvited(db, userId, MAX_LISTED),
  ])
  return { reward, ...counts, earned: toCoins(earned), items }
}
