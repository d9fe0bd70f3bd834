import type { Role } from '#contract/users.ts'
import type { MemberRow, Membership } from './store.ts'

// Membership alone decides about permissions in an organization.

/** An owner manages everybody, an admin plain members only. */
export const canManage = (ownRole: Role, member: MemberRow): boolean =>
  ownRole === 'owner' || (ownRole === 'admin' && member.role === 'member')

/** Owners and admins invite; plain members too, unless an owner has switched that off. */
export const canInvite = ({ role, members_can_invite }: Membership): boolean =>
  role !== 'member' || members_can_invite

/** Members who may invite can remove the plain members whom they invited; managers can remove them anyway. */
export const canRemove = (userId: string, membership: Membership, member: MemberRow): boolean =>
  canManage(membership.role, member) ||
  (canInvite(membership) && member.role === 'member' && member.invited_by === userId)
