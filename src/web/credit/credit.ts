// The feature's entry: the plans with what pays for them, the way there from a question that lacks coins, and when to tell of a low
// balance.
export { CreditPlans } from './CreditPlans.tsx'
export { NotifySetting } from './NotifySetting.tsx'
export { Invitations } from './Invitations.tsx'
