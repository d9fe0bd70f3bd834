import type { HandlerInput } from '#contract/call.ts'
import type {
  Organization,
  organizationCalls,
  OrganizationInvitation,
  OrganizationMember,
  ReceivedInvitation,
} from '#contract/organizations/organizations.ts'
import type { OrganizationInfo, Role } from '#contract/users.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoins, toMicroCoins } from '#server/core/coins.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import {
  getFunds,
  getHeldByOrganization,
  transferFromOrganization,
  transferToOrganization,
  updateSpendLimit,
} from '#server/ledger/ledger.ts'
import type { Funds } from '#server/ledger/ledger.ts'
import { notify } from '#server/notifications/notifications.ts'
import { exportBills, readBills } from './bills.ts'
import { createInvitations } from './invitations/invitations.ts'
import type { InvitationDeps } from './invitations/invitations.ts'
import { createRefusals } from './invitations/refusals.ts'
import {
  deleteExpiredInvitations,
  deleteInvitation,
  deleteInvitationsBy,
  listInvitations,
} from './invitations/store.ts'
import type { InvitationOwner } from './invitations/store.ts'
import { canManage, canRemove } from './permissions.ts'
import * as store from './store.ts'
import type { MemberRow, Membership } from './store.ts'

export type Organizations = ReturnType<typeof createOrganizations>
type Deps = Omit<InvitationDeps, 'refusals'> & {
  /** Creates the function that stores a logo named by a client. */
  /** Defines pictures that stay stored while `listUsed` returns them; the result is `SavePicture` of the files feature. */
  defineLogos: (
    listUsed: (urls: string[]) => Promise<string[]>,
  ) => (userId: string, url: string, current: string) => Promise<string>
  /** Ends what leaving members shared with the others, in the same transaction. */
  onLeave: (tx: Db, userIds: string[]) => Promise<void>
}
type MemberKey = { id: string; user_id: string }
type Changes = HandlerInput<(typeof organizationCalls)['PUT /api/organization/{id}']>['body']

/** Accounts that pay together: memberships, permissions and spending limits. */
export function createOrganizations({ defineLogos, onLeave, ...deps }: Deps) {
  const { db } = deps
  const refusals = createRefusals({ db, app_secret: deps.config.app_secret })
  const invitations = createInvitations({ ...deps, refusals })
  const saveLogo = defineLogos((urls) => store.listUsedLogos(db, urls))

  /** Returns the visitor's own membership of an organization. Throws AppError not_found. */
  const requireMembership = async (tx: Db, visitorId: string, id: string): Promise<Membership> => {
    const membership = await store.findMembership(tx, visitorId, id)
    if (!membership) throw new AppError('not_found')
    return membership
  }

  /** Like requireMembership, for owners and admins. Also throws AppError forbidden. */
  const requireManager = async (tx: Db, visitorId: string, id: string): Promise<Membership> => {
    const membership = await requireMembership(tx, visitorId, id)
    if (membership.role === 'member') throw new AppError('forbidden')
    return membership
  }

  /** Returns the invitations that a visitor manages: all, or a plain member's own. Throws AppError not_found. */
  const requireInvitations = async (visitorId: string, organizationId: string): Promise<InvitationOwner> => {
    const { role } = await requireMembership(db, visitorId, organizationId)
    return { organization_id: organizationId, ...(role === 'member' ? { invited_by: visitorId } : {}) }
  }

  const requireMember = async (tx: Db, { id, user_id }: MemberKey): Promise<MemberRow> => {
    const [member] = await store.listMembers(tx, id, user_id)
    if (!member) throw new AppError('not_found')
    return member
  }

  /** Requires that another owner remains. The caller has locked the organization's row. Throws AppError last_owner. */
  const requireAnotherOwner = async (tx: Db, id: string, { role }: MemberRow): Promise<void> => {
    if (role === 'owner' && (await store.countMembers(tx, id, 'owner')) === 1)
      throw new AppError('last_owner')
  }

  const present = async (membership: Membership): Promise<Organization> => {
    const { organization_id } = membership
    const members = await store.countMembers(db, organization_id)
    const usedThisMonth = toCoins(await store.sumMonth(db, organization_id))
    const { members_can_invite } = membership
    return { ...presentInfo(membership), members_can_invite, members, used_this_month: usedThisMonth }
  }
  const get = async (visitorId: string, id: string): Promise<Organization> =>
    present(await requireMembership(db, visitorId, id))

  return {
    /** Creates an organization for a user without one. Throws AppError organization_joined, and errors of saving a picture. */
    async create(userId: string, { name, logo }: { name: string; logo: string }): Promise<Organization> {
      if (await store.findMembership(db, userId)) throw new AppError('organization_joined')
      const organization = { id: createId(), name, logo: await saveLogo(userId, logo, '') }
      await db.transaction(async (tx) => {
        await store.insertOrganization(tx, organization)
        const member = { organization_id: organization.id, user_id: userId, role: 'owner' } as const
        if (!(await store.insertMember(tx, member))) throw new AppError('organization_joined')
      })
      return get(userId, organization.id)
    },

    /** Throws AppError not_found. */
    get,

    /**
     * Changes the given fields; only owners decide whether members can invite. Throws AppError not_found, forbidden, and the
     * errors of saving a picture.
     */
    async update(
      visitorId: string,
      id: string,
      { name, logo, members_can_invite }: Changes,
    ): Promise<Organization> {
      const membership = await requireManager(db, visitorId, id)
      // A client may send an organization back unchanged.
      const isSwitched =
        members_can_invite !== undefined && members_can_invite !== membership.members_can_invite
      if (isSwitched && membership.role !== 'owner') throw new AppError('forbidden')
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(members_can_invite === undefined ? {} : { members_can_invite }),
        ...(logo === undefined ? {} : { logo: await saveLogo(visitorId, logo, membership.logo) }),
      }
      if (Object.keys(changes).length) await store.updateOrganization(db, id, changes)
      return get(visitorId, id)
    },

    /**
     * Moves coins of an owner, except gifts, to the organization. Throws AppError not_found, forbidden, insufficient_balance,
     * gift_untransferable.
     */
    async deposit(visitorId: string, id: string, coins: number): Promise<Organization> {
      await db.transaction(async (tx) => {
        // If it were dissolved at this moment, nobody could take the coins back.
        await store.lockOrganization(tx, id)
        const { role } = await requireMembership(tx, visitorId, id)
        if (role !== 'owner') throw new AppError('forbidden')
        const transfer = { user_id: visitorId, organization_id: id, amount: toMicroCoins(coins) }
        if (!(await transferToOrganization(tx, transfer)))
          throw explainShortage(await getFunds(tx, visitorId), transfer.amount)
      })
      return get(visitorId, id)
    },

    /** Throws AppError not_found, forbidden. */
    async listBills(visitorId: string, id: string, page: { page: number; page_size: number }) {
      await requireManager(db, visitorId, id)
      return readBills(db, id, page)
    },

    /** Throws AppError not_found, forbidden. */
    async exportBills(visitorId: string, id: string): Promise<string> {
      await requireManager(db, visitorId, id)
      return exportBills(db, id)
    },

    /** Lists all members, each with limit and use. Throws AppError not_found. */
    async listMembers(visitorId: string, id: string): Promise<OrganizationMember[]> {
      await requireMembership(db, visitorId, id)
      return (await store.listMembers(db, id)).map(presentMember)
    },

    /** Throws AppError not_found, forbidden, and the errors of inviting. */
    invite: (visitorId: string, id: string, emails: string[], client: string): Promise<void> =>
      invitations.invite({ user_id: visitorId, organization_id: id, client }, emails),

    /** Mailboxes that refuse invitations. */
    refusals,

    /** Throws AppError invitation_invalid. */
    getInvitation: (token: string): Promise<ReceivedInvitation> => invitations.get(token),

    async acceptInvitation(userId: string, token: string): Promise<Organization> {
      await invitations.accept(userId, token)
      return present((await store.findMembership(db, userId))!)
    },

    /** Lists open invitations; for plain members, their own. Throws AppError not_found. */
    listInvitations: async (visitorId: string, id: string): Promise<OrganizationInvitation[]> =>
      listInvitations(db, await requireInvitations(visitorId, id)),

    /** Throws AppError not_found. */
    async withdrawInvitation(visitorId: string, id: string, invitationId: string): Promise<void> {
      const owner = await requireInvitations(visitorId, id)
      if (!(await deleteInvitation(db, owner, invitationId))) throw new AppError('not_found')
    },

    /**
     * Changes a member. Only owners set roles; limits are set by owners, and for plain members also by admins. Applies to the
     * very next hold. Throws AppError not_found, forbidden, last_owner.
     */
    async updateMember(
      visitorId: string,
      key: MemberKey,
      { role, credit_limit }: { role?: Role | undefined; credit_limit?: number | undefined },
    ): Promise<OrganizationMember> {
      return db.transaction(async (tx) => {
        await store.lockOrganization(tx, key.id)
        const { role: ownRole } = await requireMembership(tx, visitorId, key.id)
        const member = await requireMember(tx, key)
        const isOwner = ownRole === 'owner'
        if (!canManage(ownRole, member) || (role !== undefined && !isOwner)) throw new AppError('forbidden')
        if (role !== undefined && role !== member.role) {
          if (role !== 'owner') await requireAnotherOwner(tx, key.id, member)
          await store.updateMember(tx, member.id, { role })
          await notify(tx, key.user_id, {
            channel: 'organization',
            title: '你在组织中的角色有变化',
            text: `你现在是组织的${ROLE_NAMES[role]}。`,
            link: '/profile/organization',
          })
        }
        if (credit_limit !== undefined)
          await updateSpendLimit(tx, member.id, credit_limit === 0 ? null : toMicroCoins(credit_limit))
        return presentMember(await requireMember(tx, key))
      })
    },

    /**
     * Removes a member, or lets the visitor leave; the member's open invitations end. The organization does not pay for requests
     * for which no coins are held yet. Throws AppError not_found, forbidden, last_owner.
     */
    async removeMember(visitorId: string, key: MemberKey): Promise<void> {
      await db.transaction(async (tx) => {
        await store.lockOrganization(tx, key.id)
        const membership = await requireMembership(tx, visitorId, key.id)
        const member = await requireMember(tx, key)
        const isLeaving = key.user_id === visitorId
        if (!isLeaving && !canRemove(visitorId, membership, member)) throw new AppError('forbidden')
        await requireAnotherOwner(tx, key.id, member)
        await store.deleteMember(tx, member.id)
        await deleteInvitationsBy(tx, { organization_id: key.id, invited_by: key.user_id })
        await updateSpendLimit(tx, member.id, 0n)
        await onLeave(tx, [key.user_id])
        if (isLeaving) return
        await notify(tx, key.user_id, {
          channel: 'organization',
          title: '你已被移出组织',
          text: `你已不在组织「${membership.name}」中，之后的提问由你自己的余额付费。`,
        })
      })
    },

    /**
     * Dissolves an organization: its free coins go to the owner who does it. Nothing may be running at its cost, since the rest
     * of such a hold would belong to nobody. Throws AppError not_found, forbidden, organization_name_wrong, organization_busy.
     */
    dissolve: (visitorId: string, id: string, typedName: string): Promise<{ returned: number }> =>
      db.transaction(async (tx) => {
        await store.lockOrganization(tx, id)
        const { role, name } = await requireMembership(tx, visitorId, id)
        if (role !== 'owner') throw new AppError('forbidden')
        if (typedName.trim() !== name) throw new AppError('organization_name_wrong')
        const members = await store.listMembers(tx, id)
        // Locks the account first, as a hold does. From the commit on, the budgets refuse every hold.
        const returned = toCoins(
          await transferFromOrganization(tx, { organization_id: id, user_id: visitorId }),
        )
        if (await getHeldByOrganization(tx, id)) throw new AppError('organization_busy')
        for (const member of members) await updateSpendLimit(tx, member.id, 0n)
        await onLeave(
          tx,
          members.map(({ user_id }) => user_id),
        )
        await store.deleteOrganization(tx, id)
        for (const { user_id } of members.filter((member) => member.user_id !== visitorId)) {
          await notify(tx, user_id, {
            channel: 'organization',
            title: '组织已解散',
            text: `组织「${name}」已由所有者解散，之后的提问由你自己的余额付费。`,
          })
        }
        return { returned }
      }),

    /** Checks that a user may leave their organization, if any. Throws AppError last_owner. */
    async requireLeavable(userId: string): Promise<void> {
      const membership = await store.findMembership(db, userId)
      if (!membership) return
      const { organization_id: id } = membership
      const [member] = await store.listMembers(db, id, userId)
      if (member && (await store.countMembers(db, id)) > 1) await requireAnotherOwner(db, id, member)
    },

    /** Lets a user leave their organization; the only member dissolves it. Throws the errors of both. */
    async leave(userId: string): Promise<void> {
      const membership = await store.findMembership(db, userId)
      if (!membership) return
      const { organization_id: id, name } = membership
      if ((await store.countMembers(db, id)) > 1) await this.removeMember(userId, { id, user_id: userId })
      else await this.dissolve(userId, id, name)
    },

    /** Throws AppError not_found for a user without an organization. */
    async setPays(userId: string, pays: boolean): Promise<void> {
      if (!(await store.setPays(db, userId, pays)) && pays) throw new AppError('not_found')
    },

    sweep: (): Promise<void> => deleteExpiredInvitations(db),
  }
}

export { findRole, isFellowMember, organizationOf } from './store.ts'

const ROLE_NAMES: Record<Role, string> = { owner: '所有者', admin: '管理员', member: '成员' }

/** Explains why a deposit is refused: it exceeds the free coins, or those that are not gifts. */
function explainShortage({ balance, free, gift }: Funds, amount: bigint): AppError {
  if (free < amount) return new AppError('insufficient_balance')
  const coins = toCoins(balance - gift)
  return new AppError('gift_untransferable', {
    message: `现在可以转入组织的有 ${coins} 金币；赠送的金币只能由你自己使用，不能转入`,
  })
}

/** Returns a user's organization in the form of UserInfo; null if there is none. */
export async function getOrganizationInfo(db: Db, userId: string): Promise<OrganizationInfo | null> {
  const membership = await store.findMembership(db, userId)
  return membership ? presentInfo(membership) : null
}

const presentInfo = (membership: Membership): OrganizationInfo => ({
  uuid: membership.organization_id,
  name: membership.name,
  logo: membership.logo,
  role: membership.role,
  pays: membership.pays,
  balance: toCoins(membership.balance),
  ...presentBudget(membership),
})

const presentBudget = ({ spend_limit, used }: Pick<Membership, 'spend_limit' | 'used'>) => ({
  credit_limit: toCoins(spend_limit ?? 0n),
  credit_used: toCoins(used),
})

const presentMember = (member: MemberRow): OrganizationMember => ({
  user_id: member.user_id,
  name: member.name,
  avatar: member.avatar,
  role: member.role,
  invited_by: member.invited_by,
  ...presentBudget(member),
  used_this_month: toCoins(member.used_this_month),
  calls_this_month: member.calls_this_month,
  joined_at: member.joined_at,
})
