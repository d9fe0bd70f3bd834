import { authTypes } from '#contract/auth-types.ts'
import type { AuthType } from '#contract/auth-types.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { LimitAlerts } from '#server/core/limits/alerts.ts'
import { countUses, takeUse } from '#server/core/limits/limits.ts'
import { toMailbox } from '#server/core/limits/mailbox.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { takeGiven } from '#server/ledger/ledger.ts'
import { deleteGift, hasGifts, insertGifts, listIdentities } from './store.ts'

const DAY_S = 86_400
const MAX_SWEPT = 1_000
const SIGNUPS_KEY = 'signup:house'
const NO_ID = '00000000-0000-0000-0000-000000000000'

type Identity = { type: AuthType; value: string }
type Options = {
  db: Db
  alert: LimitAlerts
  config: Pick<Config, 'app_secret' | 'signup_coins' | 'signups' | 'signups_total' | 'given_coins_total'>
}
/** Coins of a new account, in micro-coins, and the reason for getting none. */
export type FirstCoins = { amount: bigint; withheld: 'given before' | 'day used up' | null }

/** Coins for new accounts, once for each mailbox, number and WeChat id, and limits of sign-ups. */
export function createFirstCoins({ db, alert, config }: Options) {
  const { app_secret, signups, signups_total } = config
  const [amount, maxGiven] = [toMicroCoins(config.signup_coins), toMicroCoins(config.given_coins_total)]
  const hash = ({ type, value }: Identity): string =>
    hashWithSecret(app_secret, 'first coins', type, type === 'email' ? toMailbox(value) : value)

  return {
    /**
     * Counts a new account, in its transaction. Throws AppError signup_limit if its client address has created too many,
     * signups_exhausted if all together have.
     */
    async countSignup(tx: Db, client: string): Promise<void> {
      let refusedKey = ''
      const keys = [
        {
          key: `signup:client:${hashWithSecret(app_secret, 'client', client)}`,
          limits: [{ max: signups, seconds: DAY_S }],
        },
        { key: SIGNUPS_KEY, limits: [{ max: signups_total, seconds: DAY_S }] },
      ]
      try {
        await takeUse(tx, keys, (key) => (refusedKey = key))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const isOperator = refusedKey === SIGNUPS_KEY
        if (isOperator) alert('sign-ups', signups_total, signups_total)
        throw new AppError(isOperator ? 'signups_exhausted' : 'signup_limit', {
          retry_after: error.retry_after,
        })
      }
      alert('sign-ups', await countUses(tx, SIGNUPS_KEY, DAY_S), signups_total)
    },

    /** Takes the first coins of a new account, in its transaction. */
    async take(tx: Db, identity: Identity): Promise<FirstCoins> {
      if (amount === 0n) return { amount: 0n, withheld: null }
      if (!(await insertGifts(tx, [hash(identity)]))) return { amount: 0n, withheld: 'given before' }
      const sum = await takeGiven(tx, { day: toChinaDay(new Date()), amount }, maxGiven)
      alert('given coins', toCoins(sum ?? maxGiven), toCoins(maxGiven))
      if (sum !== null) return { amount, withheld: null }
      // It had none: after deleting this account a person can get them on another day.
      await deleteGift(tx, hash(identity))
      return { amount: 0n, withheld: 'day used up' }
    },

    /** Records that an identity belongs to an account which has had its coins. */
    async note(tx: Db, identity: Identity): Promise<void> {
      await insertGifts(tx, [hash(identity)])
    },

    /** Records the identities of existing accounts unless any are recorded: all of them or none. */
    async noteEarlier(): Promise<void> {
      if (await hasGifts(db)) return
      await db.transaction(async (tx) => {
        for (let after = NO_ID; ;) {
          const accounts = await listIdentities(tx, after, MAX_SWEPT)
          const hashes = accounts.flatMap((account) =>
            authTypes.flatMap((type) => (account[type] ? [hash({ type, value: account[type] })] : [])),
          )
          await insertGifts(tx, [...new Set(hashes)])
          if (accounts.length < MAX_SWEPT) return
          after = accounts.at(-1)!.id
        }
      })
    },
  }
}
