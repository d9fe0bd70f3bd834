import { and, asc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { authTypes } from '#contract/auth-types.ts'
import type { AuthType } from '#contract/auth-types.ts'
import type { ChatSetting } from '#contract/users.ts'
import type { Db } from '#server/core/database/database.ts'
import { accountColumns, joinAccount } from '#server/ledger/ledger.ts'
import { signupGifts, users } from './tables.ts'

export type User = typeof users.$inferSelect

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  return (await db.select().from(users).where(eq(users.id, id)))[0]
}

/** Finds the ledger account that pays for a user; undefined for an unknown user. */
export async function findAccount(db: Db, id: string): Promise<string | undefined> {
  const rows = await db
    .select(accountColumns)
    .from(users)
    .innerJoin(...joinAccount(users.id))
    .where(eq(users.id, id))
  return rows[0]?.account_id
}

export async function listUsers(db: Db, ids: string[]): Promise<User[]> {
  return db.select().from(users).where(inArray(users.id, ids))
}

/** Finds the account with this way to sign in. */
export async function findUserByAuth(db: Db, type: AuthType, value: string): Promise<User | undefined> {
  return (await db.select().from(users).where(eq(users[type], value)))[0]
}

/** Inserts a user; returns undefined if its way to sign in is taken. */
export async function insertUser(tx: Db, user: typeof users.$inferInsert): Promise<User | undefined> {
  return (await tx.insert(users).values(user).onConflictDoNothing().returning())[0]
}

/** Finds the account of an invitation code, guests excepted; undefined if there is none. */
export async function findInviter(db: Db, inviteCode: string): Promise<string | undefined> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.invite_code, inviteCode), eq(users.guest, false)))
  return rows[0]?.id
}

/** Consumes the reward for inviting a user; returns the inviter, or undefined if there is none or it was consumed. */
export async function claimReward(tx: Db, userId: string): Promise<string | undefined> {
  const rows = await tx
    .update(users)
    .set({ invite_rewarded: true })
    .where(and(eq(users.id, userId), eq(users.invite_rewarded, false)))
    .returning({ invited_by: users.invited_by })
  return rows[0]?.invited_by ?? undefined
}

/** Prevents other transactions from changing a user until this one ends. */
export async function lockUser(tx: Db, id: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
}

export async function updateUser(tx: Db, id: string, changes: Partial<User>): Promise<void> {
  await tx.update(users).set(changes).where(eq(users.id, id))
}

/** Sets whether answers are read aloud, or toggles it without a value; returns the new value. */
export async function updateVoiceReply(
  db: Db,
  id: string,
  voiceReply: boolean | undefined,
): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ voice_reply: voiceReply ?? sql`NOT ${users.voice_reply}` })
    .where(eq(users.id, id))
    .returning({ voice_reply: users.voice_reply })
  return rows[0]!.voice_reply
}

export async function deleteUser(tx: Db, id: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, id))
}

/** Removes a way to sign in unless it is the only one. A single statement, so that concurrent calls leave one. */
export async function clearAuth(db: Db, id: string, type: AuthType): Promise<boolean> {
  const others = authTypes.filter((other) => other !== type).map((other) => isNotNull(users[other]))
  const rows = await db
    .update(users)
    .set({ [type]: null })
    .where(and(eq(users.id, id), isNotNull(users[type]), or(...others)))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Returns those of the pictures that are a user's avatar. */
export async function listAvatars(db: Db, urls: string[]): Promise<string[]> {
  const rows = await db.select({ avatar: users.avatar }).from(users).where(inArray(users.avatar, urls))
  return rows.map(({ avatar }) => avatar)
}

/** Changes the given fields of a user's chat setting and returns all of them; undefined for an unknown user. */
export async function mergeChatSetting(
  db: Db,
  id: string,
  changes: Partial<ChatSetting>,
): Promise<ChatSetting | undefined> {
  const rows = await db
    .update(users)
    .set({ chat_setting: sql`${users.chat_setting} || ${JSON.stringify(changes)}::jsonb` })
    .where(eq(users.id, id))
    .returning({ chat_setting: users.chat_setting })
  return rows[0]?.chat_setting
}

/** Records that identities had first coins; returns how many are new. */
export async function insertGifts(tx: Db, identityHashes: string[]): Promise<number> {
  if (!identityHashes.length) return 0
  const rows = await tx
    .insert(signupGifts)
    .values(identityHashes.map((identityHash) => ({ identity_hash: identityHash })))
    .onConflictDoNothing()
    .returning({ identity_hash: signupGifts.identity_hash })
  return rows.length
}

/** Deletes the record that an identity had first coins. */
export async function deleteGift(tx: Db, identityHash: string): Promise<void> {
  await tx.delete(signupGifts).where(eq(signupGifts.identity_hash, identityHash))
}

/** Tells whether any identity is recorded as having had first coins. */
export async function hasGifts(db: Db): Promise<boolean> {
  return (await db.select({ at: signupGifts.given_at }).from(signupGifts).limit(1)).length > 0
}

/** Lists accounts with ids after the given one, in order, with their ways to sign in. */
export async function listIdentities(
  db: Db,
  after: string,
  size: number,
): Promise<Pick<User, 'id' | AuthType>[]> {
  const { id, email, phone, wechat, guest } = users
  return db
    .select({ id, email, phone, wechat })
    .from(users)
    .where(and(eq(guest, false), gt(id, after)))
    .orderBy(asc(id))
    .limit(size)
}
