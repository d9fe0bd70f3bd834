// The feature's entry: the plans with what pays for them, and the way there from a question that lacks coins.
export { CreditPlans } from './CreditPlans.tsx'
