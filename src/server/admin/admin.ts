import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { RefundError } from '#server/commerce/credit/credit.ts'
import type { Credit } from '#server/commerce/credit/credit.ts'
import { creditAccount, getFunds } from '#server/ledger/ledger.ts'
import { notify, notifyEverybody, publishRelease } from '#server/notifications/notifications.ts'
import { findUserByEmail } from '#server/accounts/users/users.ts'
import { AdminError } from './admin-error.ts'
import { MODELS_USAGE } from './models/models.ts'

export type AdminDeps = { db: Db; credit: Pick<Credit, 'refund'> }
type AdminCommand = { usage: string; run(deps: AdminDeps, args: string[]): Promise<string> }

const NOTICE_USAGE = 'notice [--to <email>] <title> <text>'
const RELEASE_USAGE = 'release <title> <markdown>'

const COMMANDS: Record<string, AdminCommand> = {
  grant: { usage: 'grant <email> <coins>', run: grant },
  refund: { usage: 'refund <order>', run: refund },
  notice: { usage: NOTICE_USAGE, run: sendNotice },
  release: { usage: RELEASE_USAGE, run: release },
}

/** Runs one verb of `npm run admin -- <verb>` and returns its output. Throws AdminError. */
export async function executeAdminCommand(deps: AdminDeps, [name = '', ...args]: string[]): Promise<string> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command.run(deps, args)
  throw new AdminError(
    [...Object.values(COMMANDS).map(({ usage }) => usage), ...MODELS_USAGE]
      .map((usage) => `usage: npm run admin -- ${usage}`)
      .join('\n'),
  )
}

/** Most coins of one grant; a larger number is more likely a typing error. */
const MAX_GRANT_COINS = 10_000_000

async function grant({ db }: AdminDeps, [email = '', amount = '', ...more]: string[]): Promise<string> {
  const coins = Number(amount)
  if (more.length || !/^\d+(\.\d{1,2})?$/.test(amount) || coins <= 0 || coins > MAX_GRANT_COINS) {
    throw new AdminError(
      `usage: npm run admin -- grant <email> <coins>, coins from 0.01 to ${MAX_GRANT_COINS}`,
    )
  }
  const user = await requireUser(db, email)
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

const MAX_TITLE_CHARS = 60
const MAX_NOTICE_CHARS = 1_000
/** Longest text, characters: with its title it fits into a request of the socket. */
const MAX_RELEASE_CHARS = 20_000

/** Sends a message to one account or to all. */
async function sendNotice({ db }: AdminDeps, words: string[]): Promise<string> {
  const at = words.indexOf('--to')
  const email = at === -1 ? null : (words[at + 1] ?? '')
  const texts = at === -1 ? words : words.toSpliced(at, 2)
  const message = { channel: 'system', ...parseTexts(texts, MAX_NOTICE_CHARS, NOTICE_USAGE) } as const
  if (email === null) return describeTold(await notifyEverybody(db, message))
  const { id } = await requireUser(db, email)
  await notify(db, id, message)
  return `已通知 ${email} / told ${email}`
}

/** Publishes a release note, and tells every account. */
async function release({ db }: AdminDeps, words: string[]): Promise<string> {
  return describeTold(await publishRelease(db, parseTexts(words, MAX_RELEASE_CHARS, RELEASE_USAGE)))
}

const describeTold = (count: number): string => `已通知 ${count} 个账户 / told ${count} accounts`

/** Parses a command that has only a title and a text. Throws AdminError. */
function parseTexts(words: string[], maxChars: number, usage: string): { title: string; text: string } {
  const [title = '', text = '', ...more] = words.map((word) => word.trim())
  const fits = title && text && title.length <= MAX_TITLE_CHARS && text.length <= maxChars
  // An unknown flag would otherwise become the title that everybody reads.
  if (fits && !more.length && !title.startsWith('--')) return { title, text }
  throw new AdminError(
    `usage: npm run admin -- ${usage}, a title of up to ${MAX_TITLE_CHARS} and a text of up to ${maxChars} characters`,
  )
}

/** Throws AdminError. */
async function requireUser(db: Db, email: string) {
  const user = await findUserByEmail(db, email.trim().toLowerCase())
  if (!user) throw new AdminError(`没有这个用户 / no user has the e-mail address ${email}`)
  return user
}
