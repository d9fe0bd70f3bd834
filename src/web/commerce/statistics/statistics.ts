// The feature's entry: the person's spending and income, by line and in figures.
export { Balance } from './Balance.tsx'
export { Dashboard } from './Dashboard.tsx'
export { Transactions } from './Transactions.tsx'
