import type { NotifySetting } from '#contract/credit/credit.ts'
import { toCoins, toExactCoins, toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { Mailer } from '#server/core/mail.ts'
import { notify } from '#server/notifications/notifications.ts'
import { findNotifySetting, markLowBalances, saveNotifySetting } from './store.ts'

/** Without a setting nobody is told. The threshold, in coins, is one yuan. */
const DEFAULT_SETTING: NotifySetting = { enabled: false, threshold: 100 }

type Deps = { db: Db; mailer: Mailer; log: Log; app_url: string }

/** Tells people once of each fall of their balance below their threshold, by message and, if possible, by e-mail. */
export function createLowBalance({ db, mailer, log, app_url }: Deps) {
  const getSetting = async (userId: string): Promise<NotifySetting> => {
    const row = await findNotifySetting(db, userId)
    return row ? { ...row, threshold: toExactCoins(row.threshold) } : DEFAULT_SETTING
  }

  return {
    getSetting,

    /** A balance already below the threshold counts as falling only after it rose. */
    async updateSetting(
      userId: string,
      changes: { [K in keyof NotifySetting]?: NotifySetting[K] | undefined },
    ): Promise<NotifySetting> {
      const now = await getSetting(userId)
      const { enabled = now.enabled, threshold = now.threshold } = changes
      await saveNotifySetting(db, userId, { enabled, threshold: toMicroCoins(threshold) })
      return getSetting(userId)
    },

    /** Checks all balances with a notification switched on. */
    async sweep(): Promise<void> {
      const fallen = await db.transaction(async (tx) => {
        const lowBalances = (await markLowBalances(tx)).filter(({ is_low }) => is_low)
        for (const { user_id, balance, threshold } of lowBalances)
          await notify(tx, user_id, { channel: 'credit', ...describe(balance, threshold), link: '/credit' })
        return lowBalances
      })
      for (const { user_id, email, balance, threshold } of fallen) {
        if (!email) continue
        const { title, text } = describe(balance, threshold)
        const mail = {
          to: email,
          channel: 'email',
          subject: `问渠：${title}`,
          text: `${text}\n\n${app_url}/credit`,
          code: null,
          minutes: null,
        } as const
        // The message has already been sent.
        await mailer
          .send(mail)
          .catch((err: unknown) => log.warn({ err, user_id }, 'a low balance was not mailed'))
      }
    },
  }
}

const describe = (balance: bigint, threshold: bigint) => ({
  title: '余额不足提醒',
  text: `你的余额还有 ${toCoins(balance)} 金币，已低于你设置的 ${toCoins(threshold)} 金币。充值后可以继续使用。`,
})
