import type { Role } from '#contract/users.ts'
import type { MemberRow, Membership } from './store.ts'

// Membership alone decides about permissions in an organization.

/** An owner manages everybody, an admin plain members only. */
export const canManage = (own: Role, member: MemberRow): boolean =>
  own === 'owner' || (own === 'admin' && member.role === 'member')

/** Owners and admins invite; plain members too, unless an owner has switched that off. */
export const canInvite = ({ role, members_can_invite }: Membership): boolean =>
  role !== 'member' || members_can_invite

/** Members who may invite can remove the plain members whom they invited; managers can remove them anyway. */
export const canRemove = (userId: string, own: Membership, member: MemberRow): boolean =>
  canManage(own.role, member) || (canInvite(own) && member.role === 'member' && member.invited_by === userId)
