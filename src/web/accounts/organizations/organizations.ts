export { Organization } from './Organization.tsx'
export { PayerSwitch } from './PayerSwitch.tsx'
