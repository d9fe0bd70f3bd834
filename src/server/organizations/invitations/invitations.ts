import { INVITATION_DAYS, MAX_MEMBERS } from '#contract/organizations/limits.ts'
import type { ReceivedInvitation } from '#contract/organizations/organizations.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { Mailer } from '#server/core/mail.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { createToken, hashToken } from '#server/core/secrets.ts'
import { notify } from '#server/messages/messages.ts'
import type { Users } from '#server/users/users.ts'
import {
  countOpenInvitations,
  deleteInvitations,
  findInvitation,
  replaceInvitations,
  takeInvitation,
} from './store.ts'
import { countMembers, insertMember, lockOrganization } from '../store.ts'

/** Calls that invite, of one user: the mails go to people who did not ask for them. */
const INVITE_LIMIT = { points: 10, seconds: 3_600 }

export type InvitationDeps = { db: Db; log: Log; mailer: Mailer; users: Users; app_url: string }
type Inviter = { user_id: string; organization_id: string; name: string }

/** Links that make whoever has one a member, each once. */
export function createInvitations({ db, log, mailer, users, app_url }: InvitationDeps) {
  const limitInvites = createRateLimit(INVITE_LIMIT)

  return {
    /**
     * Sends each address one mail with a link of its own. What could not be sent is no invitation: throws AppError
     * invitation_failed, with those addresses; also organization_full, rate_limited.
     */
    async invite({ user_id, organization_id, name }: Inviter, addresses: string[]): Promise<void> {
      await limitInvites(user_id)
      const emails = [...new Set(addresses)]
      const invitations = emails.map((email) => ({ id: createId(), email, token: createToken() }))
      await db.transaction(async (tx) => {
        await lockOrganization(tx, organization_id)
        await replaceInvitations(
          tx,
          { organization_id, invited_by: user_id },
          invitations.map(({ id, email, token }) => ({ id, email, token_hash: hashToken(token) })),
        )
        const open = await countOpenInvitations(tx, organization_id)
        if ((await countMembers(tx, organization_id)) + open > MAX_MEMBERS)
          throw new AppError('organization_full')
      })
      const inviter = (await users.getPublicProfile(user_id))?.name ?? ''
      const failed: typeof invitations = []
      for (const invitation of invitations) {
        const link = `${app_url}/profile/organization?invitation=${invitation.token}`
        await mailer
          .send(toMail(invitation.email, { inviter, organization: name, link }))
          .catch((err: unknown) => {
            log.warn({ err, organization_id }, 'an invitation was not mailed')
            failed.push(invitation)
          })
      }
      if (!failed.length) return
      await deleteInvitations(
        db,
        organization_id,
        failed.map(({ id }) => id),
      )
      const listed = failed.map(({ email }) => email).join('、')
      throw new AppError('invitation_failed', { message: `邀请成员失败，这些邮箱没有发送成功：${listed}` })
    },

    /** Throws AppError invitation_invalid. */
    async get(token: string): Promise<ReceivedInvitation> {
      const found = await findInvitation(db, hashToken(token))
      if (!found) throw new AppError('invitation_invalid')
      const { organization_id: _, ...invitation } = found
      return invitation
    },

    /** Makes a user a member. Throws AppError invitation_invalid, organization_joined, organization_full. */
    async accept(user_id: string, token: string): Promise<void> {
      const { name = '' } = (await users.getPublicProfile(user_id)) ?? {}
      await db.transaction(async (tx) => {
        // The organization first, as whoever invites or dissolves does.
        const found = await findInvitation(tx, hashToken(token))
        if (found) await lockOrganization(tx, found.organization_id)
        const invitation = await takeInvitation(tx, hashToken(token))
        if (!invitation) throw new AppError('invitation_invalid')
        const { organization_id, invited_by } = invitation
        if ((await countMembers(tx, organization_id)) >= MAX_MEMBERS) throw new AppError('organization_full')
        if (!(await insertMember(tx, { organization_id, user_id, role: 'member' })))
          throw new AppError('organization_joined')
        await notify(tx, invited_by, {
          channel: 'organization',
          title: '有新成员加入组织',
          text: `${name}接受了你的邀请，已加入组织。`,
          link: '/profile/organization',
        })
      })
    },
  }
}

const toMail = (to: string, { inviter, organization, link }: Record<string, string>) => ({
  to,
  channel: 'email' as const,
  subject: `问渠：邀请你加入组织「${organization}」`,
  text: `${inviter}邀请你加入问渠上的组织「${organization}」。打开下面的链接并登录，就可以加入：\n\n${link}\n\n链接 ${INVITATION_DAYS} 天内有效，只能使用一次。如果你不认识邀请你的人，请忽略这封邮件。`,
  code: null,
  minutes: null,
})
