import { coinsFromMicro, microFromCoins } from '../core/coins.ts'
import type { Db } from '../core/database.ts'
import { credit, fundsOf } from '../ledger/accounts.ts'
import { findByEmail } from '../users/users.ts'

/** A verb refused: its message is the one line that the operator reads. */
export class AdminError extends Error {}

type Verb = { usage: string; run(db: Db, args: string[]): Promise<string> }

const verbs: Record<string, Verb> = {
  grant: { usage: 'grant <email> <coins>', run: grant },
}

/** Runs one verb of `npm run admin -- <verb>` and returns what it says. Throws AdminError. */
export async function administer(db: Db, [name = '', ...args]: string[]): Promise<string> {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb) return verb.run(db, args)
  throw new AdminError(
    Object.values(verbs)
      .map(({ usage }) => `usage: npm run admin -- ${usage}`)
      .join('\n'),
  )
}

/** Most coins of one grant: beyond it a slip of the finger is likelier than a wish. */
const MOST_COINS = 10_000_000

async function grant(db: Db, [email = '', amount = '', ...more]: string[]): Promise<string> {
  const coins = Number(amount)
  if (more.length || !/^\d+(\.\d{1,2})?$/.test(amount) || coins <= 0 || coins > MOST_COINS) {
    throw new AdminError(`usage: npm run admin -- grant <email> <coins>, coins from 0.01 to ${MOST_COINS}`)
  }
  const user = await findByEmail(db, email.trim().toLowerCase())
  if (!user) throw new AdminError(`没有这个用户 / no user has the e-mail address ${email}`)
  await db.transaction((tx) => credit(tx, { user_id: user.id, amount: microFromCoins(coins), kind: 'grant' }))
  const { balance } = await fundsOf(db, user.id)
  return `已发放 ${coins} 金币 / granted ${coins} coins to ${email}; balance ${coinsFromMicro(balance)}`
}
