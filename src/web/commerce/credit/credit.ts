// The feature's entry: the plans and their payment, the low-balance warning, and invitations.
export { CreditPlans } from './CreditPlans.tsx'
export { NotifySetting } from './NotifySetting.tsx'
export { Invitations } from './Invitations.tsx'
