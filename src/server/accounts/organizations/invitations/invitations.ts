import { INVITATION_DAYS, MAX_MEMBERS } from '#contract/organizations/limits.ts'
import type { ReceivedInvitation } from '#contract/organizations/organizations.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import { returnUse, takeUse } from '#server/core/limits/limits.ts'
import { toMailName } from '#server/core/mail.ts'
import type { Mailer, MailMessage } from '#server/core/mail.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { createToken, hashToken, hashWithSecret } from '#server/core/secrets.ts'
import { notify } from '#server/notifications/notifications.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { describeLimit, getLimitName, toLimitedKeys } from './limits.ts'
import type { InvitationLimit } from './limits.ts'
import type { Refusals } from './refusals.ts'
import {
  countOpenInvitations,
  deleteInvitation,
  findInvitation,
  isRefused,
  replaceInvitation,
  takeInvitation,
} from './store.ts'
import { canInvite } from '../permissions.ts'
import { countMembers, findMembership, insertMember, listOwners, lockOrganization } from '../store.ts'
import type { Membership } from '../store.ts'

/** Limit of invite calls per user and process; mails have limits of their own (limits.ts). */
const INVITE_CALLS = { points: 30, seconds: 60 }

export type InvitationDeps = {
  db: Db
  log: Log
  mailer: Mailer
  users: Users
  refusals: Refusals
  /** Tells whether a user has bought something. */
  hasPaid: (db: Db, userId: string) => Promise<boolean>
  config: Pick<Config, 'app_url' | 'app_secret' | 'invitation_mails_total'>
}
/** `client`: the inviter's key in limits by address. */
type Inviter = { user_id: string; organization_id: string; client: string }
/** The reason why an address was sent nothing. */
type Reason = { limit: InvitationLimit; retry_after: number | undefined } | { limit: null }

/** Invitation links, each of which makes one person a member. */
export function createInvitations({ db, log, mailer, users, refusals, hasPaid, config }: InvitationDeps) {
  const { app_url, app_secret, invitation_mails_total: operatorMax } = config
  const limitCalls = createRateLimit(INVITE_CALLS)

  const requireRoom = async (tx: Db, organizationId: string, emails: string[]): Promise<void> => {
    const open = await countOpenInvitations(tx, organizationId, emails)
    if ((await countMembers(tx, organizationId)) + open + emails.length > MAX_MEMBERS)
      throw new AppError('organization_full')
  }

  /** Returns the inviter's membership. Throws AppError not_found, forbidden. */
  const requireInviter = async (tx: Db, userId: string, organizationId: string): Promise<Membership> => {
    const membership = await findMembership(tx, userId, organizationId)
    if (!membership) throw new AppError('not_found')
    if (canInvite(membership)) return membership
    throw new AppError('forbidden', { message: '只有组织的所有者与管理员可以邀请成员' })
  }

  return {
    /**
     * Mails each address a link of its own, as far as the limits allow. An unsent mail leaves no invitation: throws AppError
     * rate_limited or invitation_failed, which count the sent mails and name the other addresses with their reasons; also
     * not_found, forbidden, organization_full.
     */
    async invite({ user_id, organization_id, client }: Inviter, addresses: string[]): Promise<void> {
      const { name } = await requireInviter(db, user_id, organization_id)
      await limitCalls(user_id)
      const emails = [...new Set(addresses)]
      await requireRoom(db, organization_id, emails)
      const isPayer = await hasPaid(db, user_id)
      const inviter = (await users.getPublicProfile(user_id))?.name ?? ''
      const by = {
        user_id,
        client_hash: hashWithSecret(app_secret, 'client', client),
        has_paid: isPayer,
        operator_max: operatorMax,
      }

      /** Returns null if the mail was sent, or withheld because the mailbox refuses invitations. */
      const inviteOne = async (email: string): Promise<Reason | null> => {
        const [id, token] = [createId(), createToken()]
        const mailboxHash = refusals.hashMailbox(email)
        let limit: InvitationLimit | undefined
        const outcome = await db
          .transaction(async (tx) => {
            await lockOrganization(tx, organization_id)
            const { role } = await requireInviter(tx, user_id, organization_id)
            await requireRoom(tx, organization_id, [email])
            const sender = { organization_id, invited_by: user_id }
            // A plain member must not end somebody else's invitation.
            const replaced = role === 'member' ? sender : { organization_id }
            await replaceInvitation(tx, replaced, { ...sender, id, email, token_hash: hashToken(token) })
            const use = await takeUse(tx, toLimitedKeys({ ...by, mailbox_hash: mailboxHash }), (key) => {
              limit = getLimitName(key)
            })
            // Counted like any other, so that nobody learns who refuses.
            return { use, is_refused: await isRefused(tx, mailboxHash) }
          })
          .catch((error: unknown) => {
            if (!limit || !(error instanceof AppError)) throw error
            return { limit, retry_after: error.retry_after }
          })
        if ('limit' in outcome) return outcome
        if (outcome.is_refused) return null
        const refusalUrl = `${app_url}/invitations/refusal/${refusals.createToken(mailboxHash)}`
        const link = `${app_url}/profile/organization?invitation=${token}`
        try {
          await mailer.send(toMail(email, { inviter, organization: name, link, refusal_url: refusalUrl }))
          return null
        } catch (err) {
          log.warn({ err, organization_id }, 'an invitation was not mailed')
          await db.transaction(async (tx) => {
            await deleteInvitation(tx, { organization_id }, id)
            await returnUse(tx, outcome.use)
          })
          return { limit: null }
        }
      }

      const unsent: { email: string; reason: Reason }[] = []
      for (const email of emails) {
        const last = unsent.at(-1)?.reason
        // All limits but the mailbox's are the same for each address.
        const reason = last?.limit && last.limit !== 'mailbox' ? last : await inviteOne(email)
        if (reason) unsent.push({ email, reason })
      }
      if (unsent.length)
        throw toUnsentError(unsent, { sent: emails.length - unsent.length, has_paid: isPayer })
    },

    /** Throws AppError invitation_invalid. */
    async get(token: string): Promise<ReceivedInvitation> {
      const row = await findInvitation(db, hashToken(token))
      if (!row) throw new AppError('invitation_invalid')
      const { organization_id: _, ...invitation } = row
      return invitation
    },

    /** Makes a user a member. Throws AppError invitation_invalid, organization_joined, organization_full. */
    async accept(userId: string, token: string): Promise<void> {
      const { name = '' } = (await users.getPublicProfile(userId)) ?? {}
      await db.transaction(async (tx) => {
        // Locks the organization first, in the same order as inviting and dissolving.
        const row = await findInvitation(tx, hashToken(token))
        if (row) await lockOrganization(tx, row.organization_id)
        const invitation = await takeInvitation(tx, hashToken(token))
        if (!invitation) throw new AppError('invitation_invalid')
        const { organization_id, invited_by } = invitation
        if ((await countMembers(tx, organization_id)) >= MAX_MEMBERS) throw new AppError('organization_full')
        const inviter = await findMembership(tx, invited_by, organization_id)
        // Nobody gets around a limit by inviting.
        const spendLimit = inviter?.role === 'member' ? inviter.spend_limit : null
        const member = { organization_id, user_id: userId, role: 'member', invited_by } as const
        if (!(await insertMember(tx, member, spendLimit))) throw new AppError('organization_joined')
        const note = {
          channel: 'organization',
          title: '有新成员加入组织',
          link: '/profile/organization',
        } as const
        await notify(tx, invited_by, { ...note, text: `${name}接受了你的邀请，已加入组织。` })
        for (const owner of await listOwners(tx, organization_id)) {
          if (owner === invited_by) continue
          await notify(tx, owner, {
            ...note,
            text: `${name}接受了${row?.inviter ?? ''}的邀请，已加入组织。`,
          })
        }
      })
    },
  }
}

/** Counts the sent mails, and gives the reason for each other address. */
function toUnsentError(
  unsent: { email: string; reason: Reason }[],
  { sent, has_paid }: { sent: number; has_paid: boolean },
): AppError {
  const groups = Map.groupBy(unsent, ({ reason: { limit } }) => limit)
  const listed = [...groups].map(([limit, group]) => {
    const why = limit ? describeLimit(limit, has_paid) : '邮件没有发送成功，请稍后重试'
    return `${group.map(({ email }) => email).join('、')}（${why}）`
  })
  const message = `${sent ? `已发送 ${sent} 封邀请，` : '邀请成员失败，'}这些邮箱没有发送：${listed.join('；')}`
  if (groups.has(null)) return new AppError('invitation_failed', { message })
  const waits = unsent.flatMap(({ reason }) => (reason.limit ? (reason.retry_after ?? []) : []))
  return new AppError('rate_limited', { message, retry_after: Math.min(...waits) })
}

type MailContent = { inviter: string; organization: string; link: string; refusal_url: string }

/** Every word is ours except the two names, and the subject contains neither. */
const toMail = (to: string, { inviter, organization, link, refusal_url }: MailContent): MailMessage => ({
  to,
  channel: 'email',
  subject: '问渠：邀请你加入组织',
  text: [
    `${toMailName(inviter) ?? '有人'}邀请你加入问渠上的${prefix('组织', toMailName(organization)) ?? '一个组织'}。打开下面的链接并登录，就可以加入：`,
    link,
    `链接 ${INVITATION_DAYS} 天内有效，只能使用一次。名称由对方填写，未经问渠核实；如果你不认识邀请你的人，请忽略这封邮件。`,
    `不想再收到组织的邀请：\n${refusal_url}`,
  ].join('\n\n'),
  code: null,
  minutes: null,
  unsubscribe_url: refusal_url,
})

const prefix = (word: string, name: string | null): string | null => (name === null ? null : word + name)
