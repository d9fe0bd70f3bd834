import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { RefundError } from '#server/credit/credit.ts'
import type { Credit } from '#server/credit/credit.ts'
import { creditAccount, getFunds } from '#server/ledger/ledger.ts'
import { findUserByEmail } from '#server/users/users.ts'
import { AdminError } from './admin-error.ts'
import { MODELS_USAGE } from './models/models.ts'

export type AdminDeps = { db: Db; credit: Pick<Credit, 'refund'> }
type AdminCommand = { usage: string; run(deps: AdminDeps, args: string[]): Promise<string> }

const COMMANDS: Record<string, AdminCommand> = {
  grant: { usage: 'grant <email> <coins>', run: grant },
  refund: { usage: 'refund <order>', run: refund },
}

/** Runs one verb of `npm run admin -- <verb>` and returns what it says. Throws AdminError. */
export async function executeAdminCommand(deps: AdminDeps, [name = '', ...args]: string[]): Promise<string> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command.run(deps, args)
  throw new AdminError(
    [...Object.values(COMMANDS).map(({ usage }) => usage), ...MODELS_USAGE]
      .map((usage) => `usage: npm run admin -- ${usage}`)
      .join('\n'),
  )
}

/** Most coins of one grant: beyond it a slip of the finger is likelier than a wish. */
const MAX_GRANT_COINS = 10_000_000

async function grant({ db }: AdminDeps, [email = '', amount = '', ...more]: string[]): Promise<string> {
  const coins = Number(amount)
  if (more.length || !/^\d+(\.\d{1,2})?$/.test(amount) || coins <= 0 || coins > MAX_GRANT_COINS) {
    throw new AdminError(
      `usage: npm run admin -- grant <email> <coins>, coins from 0.01 to ${MAX_GRANT_COINS}`,
    )
  }
  const user = await findUserByEmail(db, email.trim().toLowerCase())
  if (!user) throw new AdminError(`没有这个用户 / no user has the e-mail address ${email}`)
  await db.transaction((tx) =>
    creditAccount(tx, { user_id: user.id, amount: toMicroCoins(coins), kind: 'grant' }),
  )
  const { balance } = await getFunds(db, user.id)
  return `已发放 ${coins} 金币 / granted ${coins} coins to ${email}; balance ${toCoins(balance)}`
}

async function refund({ credit }: AdminDeps, [order = '', ...more]: string[]): Promise<string> {
  if (more.length || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(order))
    throw new AdminError('usage: npm run admin -- refund <order>')
  try {
    const yuan = await credit.refund(order)
    return `已退款 ${yuan} 元 / refunded ${yuan} yuan of the order ${order}`
  } catch (error) {
    throw error instanceof RefundError ? new AdminError(error.message) : error
  }
}
