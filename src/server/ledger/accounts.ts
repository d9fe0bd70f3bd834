import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { giftKinds, ledgerAccounts } from './tables.ts'

/** The operator's account that grants come from; a migration creates it. Charges for runs go to the one named `income`. */
const GRANTS_ACCOUNT_ID = '00000000-0000-7000-8000-000000000001'

/**
 * Creates the account of a user with its first gift coins, micro-coins, and returns its id. Call it in the transaction that
 * creates the user.
 */
export async function createAccount(tx: Db, userId: string, gift: bigint): Promise<string> {
  const id = createId()
  await tx.execute(sql`INSERT INTO ledger_accounts (id, user_id) VALUES (${id}, ${userId})`)
  if (gift > 0n) await creditAccount(tx, { user_id: userId, amount: gift, kind: 'signup' })
  return id
}

/**
 * The part of an account that may be moved: neither held coins nor gift coins. The same coins may be both: gifts are spent first.
 */
const MOVABLE = sql`balance - greatest(held, gift)`

/** A movement of micro-coins between a user's account and the operator's. Reusing an `id` fails. */
type Transfer<Kind> = { id?: string; user_id: string; amount: bigint; kind: Kind }

/**
 * Moves coins from the operator's account `grants` to a user's account: the transfer and the new balance in one statement.
 * Returns false when the user has no account.
 */
export const creditAccount = (
  tx: Db,
  transfer: Transfer<'signup' | 'grant' | 'recharge' | 'reward'>,
): Promise<boolean> => moveCoins(tx, transfer, transfer.amount)

/** Tells whether a user's account ever got coins of this kind. */
export async function wasGiven(db: Db, userId: string, kind: 'signup' | 'reward'): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT 1 FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.credit_account_id
    WHERE a.user_id = ${userId} AND t.kind = ${kind} LIMIT 1`)
  return rows.length > 0
}

/** Moves coins from a user to the operator. Returns false, and moves nothing, when fewer are movable (MOVABLE). */
export const debitAccount = (tx: Db, transfer: Transfer<'refund'>): Promise<boolean> =>
  moveCoins(tx, transfer, -transfer.amount)

async function moveCoins(
  tx: Db,
  { id = createId(), user_id, amount, kind }: Transfer<string>,
  change: bigint,
): Promise<boolean> {
  if (amount <= 0n) throw new RangeError('what is moved must be positive')
  const [accountId, grantsAccountId] = [sql`account.id`, sql`${GRANTS_ACCOUNT_ID}::uuid`]
  const gift = giftKinds.includes(kind) ? amount : 0n
  const { rows } = await tx.execute(sql`
    WITH account AS (
      UPDATE ledger_accounts SET balance = balance + ${change}::bigint, gift = gift + ${gift}::bigint
      WHERE user_id = ${user_id} AND ${MOVABLE} + ${change}::bigint >= 0 RETURNING id
    )
    INSERT INTO ledger_transfers (id, debit_account_id, credit_account_id, amount, kind, gift)
    SELECT ${id}::uuid, ${change > 0n ? grantsAccountId : accountId}, ${change > 0n ? accountId : grantsAccountId}, ${amount}::bigint, ${kind}, ${gift}::bigint
    FROM account RETURNING id`)
  return rows.length === 1
}

/** The account that pays for a user, as columns of a query with `joinAccount`. */
export const accountColumns = { account_id: ledgerAccounts.id }

/** Arguments of a join: the account of a row's user. */
export const joinAccount = (userId: AnyPgColumn) =>
  [ledgerAccounts, eq(ledgerAccounts.user_id, userId)] as const

/** Returns the part of an account that no hold has reserved, micro-coins. */
export async function getFreeFunds(db: Db, accountId: string): Promise<bigint> {
  const { rows } = await db.execute<{ free: string }>(sql`
    SELECT (balance - held)::text AS free FROM ledger_accounts WHERE id = ${accountId}`)
  return BigInt(rows[0]?.free ?? 0)
}

/** Micro-coins of an account: all, those that no hold has reserved, and the gift coins among all. */
export type Funds = { balance: bigint; free: bigint; gift: bigint }

/** Returns the funds of a user; zero without an account. */
export async function getFunds(db: Db, userId: string): Promise<Funds> {
  const { rows } = await db.execute<Record<keyof Funds, string>>(sql`
    SELECT balance::text, (balance - held)::text AS free, gift::text FROM ledger_accounts WHERE user_id = ${userId}`)
  const { balance, free, gift } = rows[0] ?? { balance: 0, free: 0, gift: 0 }
  return { balance: BigInt(balance), free: BigInt(free), gift: BigInt(gift) }
}

/** Creates the empty account of an organization. Call it in the transaction that creates the organization. */
export async function createOrganizationAccount(tx: Db, organizationId: string): Promise<void> {
  await tx.execute(
    sql`INSERT INTO ledger_accounts (id, organization_id) VALUES (${createId()}, ${organizationId})`,
  )
}

/**
 * Moves micro-coins from a user's account to an organization's. Returns false, and moves nothing, when fewer than that are
 * movable (MOVABLE). Call it in a transaction.
 */
export async function transferToOrganization(
  tx: Db,
  { user_id, organization_id, amount }: { user_id: string; organization_id: string; amount: bigint },
): Promise<boolean> {
  if (amount <= 0n) throw new RangeError('what is moved must be positive')
  // In the order of ids, in which the functions of functions.sql lock accounts.
  await tx.execute(sql`
    SELECT FROM ledger_accounts WHERE user_id = ${user_id} OR organization_id = ${organization_id} ORDER BY id FOR UPDATE`)
  const { rows } = await tx.execute(sql`
    WITH debit AS (
      UPDATE ledger_accounts SET balance = balance - ${amount}::bigint
      WHERE user_id = ${user_id} AND ${MOVABLE} >= ${amount}::bigint RETURNING id
    ), credit AS (
      UPDATE ledger_accounts SET balance = balance + ${amount}::bigint
      WHERE organization_id = ${organization_id} AND EXISTS (SELECT FROM debit) RETURNING id
    )
    INSERT INTO ledger_transfers (id, debit_account_id, credit_account_id, amount, kind)
    SELECT ${createId()}::uuid, debit.id, credit.id, ${amount}::bigint, 'transfer' FROM debit, credit
    RETURNING id`)
  return rows.length === 1
}

/**
 * Moves all coins that no hold has reserved from one account to another, and returns how many, micro-coins. Call it in a
 * transaction. The balance of an operator's account stays 0. Held gift coins stay, since they are spent first; the others can
 * only be forfeited, and only users have any (see the checks of the tables).
 */
async function moveFreeCoins(tx: Db, from: SQL, to: SQL, kind: 'transfer' | 'forfeit'): Promise<bigint> {
  await tx.execute(sql`SELECT FROM ledger_accounts WHERE ${from} OR ${to} ORDER BY id FOR UPDATE`)
  const { rows } = await tx.execute<{ amount: string }>(sql`
    WITH debit AS (
      SELECT id, balance - held AS free, greatest(gift - held, 0) AS gift FROM ledger_accounts
      WHERE ${from} AND balance > held
    ), taken AS (
      UPDATE ledger_accounts a SET balance = a.held, gift = a.gift - debit.gift FROM debit WHERE a.id = debit.id
    ), given AS (
      UPDATE ledger_accounts a SET balance = a.balance + free FROM debit
      WHERE a.id = (SELECT id FROM ledger_accounts WHERE ${to}) AND a.house IS NULL
    )
    INSERT INTO ledger_transfers (id, debit_account_id, credit_account_id, amount, kind, gift)
    SELECT ${createId()}::uuid, debit.id, credit.id, free, ${kind}, debit.gift
    FROM debit, (SELECT id FROM ledger_accounts WHERE ${to}) AS credit
    RETURNING amount::text`)
  return BigInt(rows[0]?.amount ?? 0)
}

/** Returns the coins of a leaving user to the operator. */
export const forfeitCoins = (tx: Db, userId: string): Promise<bigint> =>
  moveFreeCoins(tx, sql`user_id = ${userId}`, sql`id = ${GRANTS_ACCOUNT_ID}`, 'forfeit')

/** Moves the coins of an organization to a user. */
export const transferFromOrganization = (
  tx: Db,
  { user_id, organization_id }: { user_id: string; organization_id: string },
): Promise<bigint> =>
  moveFreeCoins(tx, sql`organization_id = ${organization_id}`, sql`user_id = ${user_id}`, 'transfer')

/** Returns the micro-coins that holds have reserved in an organization's account. */
export async function getHeldByOrganization(db: Db, organizationId: string): Promise<bigint> {
  const { rows } = await db.execute<{ held: string }>(sql`
    SELECT held::text FROM ledger_accounts WHERE organization_id = ${organizationId}`)
  return BigInt(rows[0]?.held ?? 0)
}
