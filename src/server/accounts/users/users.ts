import { authTypes } from '#contract/auth-types.ts'
import type { AuthType } from '#contract/auth-types.ts'
import type { ChatSetting, OrganizationInfo, ProviderSort, UserInfo } from '#contract/users.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import { toCoinsWithGift } from '#server/core/coins.ts'
import type { Config } from '#server/core/config.ts'
import type { LimitAlerts } from '#server/core/limits/alerts.ts'
import { toMailbox } from '#server/core/limits/mailbox.ts'
import { notify } from '#server/notifications/notifications.ts'
import type { Db } from '#server/core/database/database.ts'
import { createInviteCode, createNameSuffix } from '#server/core/secrets.ts'
import { createAccount, creditAccount, getFunds, wasGiven } from '#server/ledger/ledger.ts'
import {
  claimReward,
  clearAuth,
  deleteUser,
  findAccount,
  findInviter,
  insertUser,
  lockUser,
  listAvatars,
  listUsers,
  mergeChatSetting,
  updateUser,
  updateVoiceReply,
  findUserByAuth,
  findUser,
} from './store.ts'
import type { User } from './store.ts'
import { createFirstCoins } from './first-coins.ts'
import { getCurrentLevel, getLevelName } from './levels.ts'
import type { Membership } from './tables.ts'

export { getLevelName, getRank } from './levels.ts'

type Options = {
  db: Db
  alert: LimitAlerts
  config: Config
  defaultModel: () => string
  /** Throws AppError model_not_found for anything but a chat model that people can choose. */
  requireChatModel: (model: string) => void
  /** Gives other features' gifts to a new account, in its transaction. */
  onNewAccount: (tx: Db, userId: string) => Promise<void>
  /** Returns an account's organization, from the feature that stores it; null for none. */
  getOrganization: (userId: string) => Promise<OrganizationInfo | null>
}
type UserPreferences = { model: string | null; provider_sort: ProviderSort; chat_setting: ChatSetting | null }
/** Stores an avatar named by a client: `SavePicture` of the files feature, which depends on users. */
export type SaveAvatar = (userId: string, url: string, current: string) => Promise<string>
export type Users = ReturnType<typeof createUsers>

/** People and guests: their identities, profiles and preferences. */
export function createUsers({
  db,
  alert,
  config,
  defaultModel,
  requireChatModel,
  onNewAccount,
  getOrganization,
}: Options) {
  const firstCoins = createFirstCoins({ db, alert, config })
  const toInviteUrl = (path: string, { invite_code }: User): string =>
    `${config.app_url}${path}?invite_code=${invite_code}`

  /** Returns UserInfo of an account. Throws AppError unauthorized for a guest or an unknown id. */
  const getInfo = async (userId: string): Promise<UserInfo> => {
    const [user, funds, organization] = await Promise.all([
      findUser(db, userId),
      getFunds(db, userId),
      getOrganization(userId),
    ])
    if (!user || user.guest) throw new AppError('unauthorized')
    const { level, ends_at } = getCurrentLevel(user, new Date())
    return {
      uuid: user.id,
      name: user.name,
      avatar: user.avatar,
      email: user.email,
      phone: user.phone,
      level,
      level_name: getLevelName(level),
      level_ends_at: ends_at,
      ...toCoinsWithGift(funds.balance, funds.gift),
      model: user.model ?? defaultModel(),
      provider_sort: user.provider_sort,
      voice_reply: user.voice_reply,
      invite_url: toInviteUrl('/chat', user),
      auth_types: authTypes.filter((type) => user[type] !== null),
      organization,
    }
  }

  return {
    /** Creates an identity for a visitor without an account. */
    async createGuest(): Promise<{ user_id: string; account_id: string }> {
      const id = createId()
      const accountId = await db.transaction(async (tx) => {
        await insertUser(tx, { id, guest: true, name: '访客', invite_code: createInviteCode() })
        return createAccount(tx, id, 0n)
      })
      return { user_id: id, account_id: accountId }
    },

    /** Returns the operator's account with this id, creating it without coins if needed. Nobody can sign in to it. */
    async ensureSystemAccount(id: string, name: string): Promise<{ user_id: string; account_id: string }> {
      const existing = await findAccount(db, id)
      if (existing) return { user_id: id, account_id: existing }
      return db.transaction(async (tx) => {
        await insertUser(tx, { id, guest: false, name, invite_code: createInviteCode() })
        return { user_id: id, account_id: await createAccount(tx, id, 0n) }
      })
    },

    /** Returns the account with this way to sign in; undefined if there is none. */
    findIdByAuth: async ({ type, value }: { type: AuthType; value: string }): Promise<string | undefined> =>
      (await findUserByAuth(db, type, value))?.id,

    /**
     * Finds the user of a confirmed e-mail address, phone number or WeChat id, or creates one, invited by the account of
     * `invite_code` if there is one. For a new user, call `giveFirstCoins` at the end of the transaction. Throws AppError
     * signup_limit, signups_exhausted.
     */
    async findOrCreateByAuth(
      tx: Db,
      { type, value }: { type: AuthType; value: string },
      { invite_code, client }: { invite_code: string | null; client: string },
    ): Promise<{ id: string; isNew: boolean }> {
      const existing = await findUserByAuth(tx, type, value)
      if (existing) return { id: existing.id, isNew: false }
      // Shares show this name to others, so it contains nothing of the address.
      const name = `问渠用户${createNameSuffix()}`
      const user = await insertUser(tx, {
        id: createId(),
        guest: false,
        [type]: value,
        name,
        invite_code: createInviteCode(),
        invited_by: invite_code && ((await findInviter(tx, invite_code)) ?? null),
      })
      if (user) {
        await firstCoins.countSignup(tx, client)
        await createAccount(tx, user.id, 0n)
        await onNewAccount(tx, user.id)
        return { id: user.id, isNew: true }
      }
      // A concurrent sign-in created the account.
      return { id: (await findUserByAuth(tx, type, value))!.id, isNew: false }
    },

    /**
     * Gives a new account its first coins, once for each mailbox, number and WeChat id. It locks a row shared by all new accounts
     * and the runs of guests, so call it last in the transaction.
     */
    async giveFirstCoins(tx: Db, userId: string, auth: { type: AuthType; value: string }): Promise<void> {
      const { amount, withheld } = await firstCoins.take(tx, auth)
      if (amount > 0n) await creditAccount(tx, { user_id: userId, amount, kind: 'signup' })
      if (withheld) await notify(tx, userId, { channel: 'credit', ...WITHHELD[withheld], link: '/credit' })
    },

    /** Binds a confirmed e-mail address, phone number or WeChat id to an account. Throws AppError `{type}_taken`. */
    async bindAuth(tx: Db, userId: string, type: AuthType, value: string): Promise<void> {
      const owner = await findUserByAuth(tx, type, value)
      if (owner && owner.id !== userId) throw new AppError(`${type}_taken`)
      await updateUser(tx, userId, { [type]: value })
      // The identity shares the account's first coins, and cannot get them again.
      if (await wasGiven(tx, userId, 'signup')) await firstCoins.note(tx, { type, value })
    },

    /** Records the identities of existing accounts, so that their first coins are not given again. */
    noteFirstCoins: (): Promise<void> => firstCoins.noteEarlier(),

    /** Removes a way to sign in. Throws AppError not_found if the account lacks it, last_auth_type if there is no other. */
    async unbindAuth(userId: string, type: AuthType): Promise<void> {
      const removed = await clearAuth(db, userId, type)
      if (removed) return
      const { auth_types } = await getInfo(userId)
      throw new AppError(auth_types.includes(type) ? 'last_auth_type' : 'not_found')
    },

    /** Deletes a user with all dependent data; the ledger account stays. */
    remove: (tx: Db, userId: string): Promise<void> => deleteUser(tx, userId),

    /** Saves the model that new conversations of an account begin with. Throws AppError model_not_found. */
    async setModel(userId: string, model: string): Promise<void> {
      requireChatModel(model)
      await updateUser(db, userId, { model })
    },

    /** Saves the order of a model's platforms for an account. */
    async setProviderSort(userId: string, providerSort: ProviderSort): Promise<void> {
      await updateUser(db, userId, { provider_sort: providerSort })
    },

    /** Saves whether new answers are read aloud automatically; toggles it without a value. */
    setVoiceReply: (userId: string, voiceReply: boolean | undefined): Promise<boolean> =>
      updateVoiceReply(db, userId, voiceReply),

    /** Returns an account's model or null, its order of platforms, and its chat setting, if there is one. */
    async getPreferences(userId: string): Promise<UserPreferences> {
      const user = await findUser(db, userId)
      return {
        model: user?.model ?? null,
        provider_sort: user?.provider_sort ?? 'default',
        chat_setting: user?.chat_setting ?? null,
      }
    },

    /** Returns an account's current level (see `levels`). */
    async getLevel(userId: string): Promise<User['level']> {
      const user = await findUser(db, userId)
      return user ? getCurrentLevel(user, new Date()).level : 'pro-0'
    },

    /** Returns the ChatSetting of an account. Throws AppError unauthorized for an unknown id. */
    async getChatSetting(userId: string): Promise<ChatSetting> {
      const user = await findUser(db, userId)
      if (!user) throw new AppError('unauthorized')
      return user.chat_setting
    },

    /** Changes the given fields of an account's chat setting. Throws AppError unauthorized for an unknown id. */
    async updateChatSetting(userId: string, changes: Partial<ChatSetting>): Promise<ChatSetting> {
      const saved = await mergeChatSetting(db, userId, changes)
      if (!saved) throw new AppError('unauthorized')
      return saved
    },

    /** Creates a function that makes links to our pages for a user to pass on, which count sign-ups as invited. */
    async createInviteLinker(userId: string): Promise<(path: string) => string> {
      const user = await findUser(db, userId)
      if (!user) throw new AppError('unauthorized')
      return (path) => toInviteUrl(path, user)
    },

    /** Returns an account's public name and avatar. */
    async getPublicProfile(userId: string): Promise<{ name: string; avatar: string } | undefined> {
      const user = await findUser(db, userId)
      return user && { name: user.name, avatar: user.avatar }
    },

    /** Returns those of several accounts. */
    async listPublicProfiles(ids: string[]): Promise<Map<string, { name: string; avatar: string }>> {
      const rows = ids.length ? await listUsers(db, [...new Set(ids)]) : []
      return new Map(rows.map(({ id, name, avatar }) => [id, { name, avatar }]))
    },

    getInfo,

    /**
     * Changes the given fields of an account's public profile. Throws AppError unauthorized for an unknown id, and the errors of
     * `saveAvatar`.
     */
    async updateInfo(
      userId: string,
      { name, avatar }: { name?: string | undefined; avatar?: string | undefined },
      saveAvatar: SaveAvatar,
    ): Promise<UserInfo> {
      const info = await getInfo(userId)
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(avatar === undefined ? {} : { avatar: await saveAvatar(userId, avatar, info.avatar) }),
      }
      if (Object.keys(changes).length) await updateUser(db, userId, changes)
      return { ...info, ...changes }
    },

    /** Returns those of the pictures that are somebody's avatar. */
    listUsedAvatars: (urls: string[]): Promise<string[]> => listAvatars(db, urls),
  }
}

/** Returns the account of an e-mail address (lower case). */
export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  findUserByAuth(db, 'email', email)

/** Replaces an account's bought levels by those that `list` returns, while nobody else changes them. */
export async function updateMemberships(
  tx: Db,
  userId: string,
  list: () => Promise<Membership[]>,
): Promise<void> {
  await lockUser(tx, userId)
  await updateUser(tx, userId, { memberships: await list() })
}

/** Messages to new accounts without first coins. */
const WITHHELD = {
  'given before': {
    title: '新账号没有赠送金币',
    text: '注册赠送的金币每个邮箱、手机号和微信只送一次。这个邮箱（包括它的别名写法）、手机号或微信领取过，所以这次没有再送。充值后就能使用全部模型。',
  },
  'day used up': {
    title: '今天的赠送金币已发完',
    text: '今天注册的人很多，赠送的金币已经发完，所以你的账号里暂时没有金币。充值后就能使用全部模型。',
  },
} as const

/** Consumes the reward for inviting a user; returns the inviter, or undefined if there is none or both share a mailbox. */
export async function claimInviteReward(tx: Db, userId: string): Promise<string | undefined> {
  const inviter = await claimReward(tx, userId)
  if (!inviter) return undefined
  const [mailbox, otherMailbox] = (await listUsers(tx, [userId, inviter])).map(
    ({ email }) => email && toMailbox(email),
  )
  return mailbox && mailbox === otherMailbox ? undefined : inviter
}
