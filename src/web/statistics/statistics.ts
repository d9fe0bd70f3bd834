// The feature's entry: what the person spent and got, by line and in figures.
export { Balance } from './Balance.tsx'
export { Dashboard } from './Dashboard.tsx'
export { Transactions } from './Transactions.tsx'
