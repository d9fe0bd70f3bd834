import type { Role } from '#contract/users.ts'
import type { MemberRow, Membership } from './store.ts'

// Membership alone decides about what somebody may do in an organization.

/** An owner manages everybody, an admin those who are only members. */
export const canManage = (own: Role, member: MemberRow): boolean =>
  own === 'owner' || (own === 'admin' && member.role === 'member')

/** Owners and admins invite; plain members too, unless an owner has closed that to them. */
export const canInvite = ({ role, members_can_invite }: Membership): boolean =>
  role !== 'member' || members_can_invite

/** Whoever may invite removes whom they invited, as long as that one is only a member; whoever manages a member removes it anyway. */
export const canRemove = (userId: string, own: Membership, member: MemberRow): boolean =>
  canManage(own.role, member) || (canInvite(own) && member.role === 'member' && member.invited_by === userId)
