/** Addresses of one call. */
export const MAX_INVITED_EMAILS = 50
export const MAX_MEMBERS = 500
/** How long the link of an invitation can be used. */
export const INVITATION_DAYS = 7
/** Coins. */
export const MAX_DEPOSIT = 1_000_000
/** Mails with an invitation that an account may cause in 24 hours: one that has paid nothing, and one that has. */
export const DAILY_INVITATIONS = { unpaid: 10, paid: 100 }
/** The same of all accounts that invite from one address of the network, or to one mailbox. */
export const DAILY_INVITATIONS_BY_CLIENT = { unpaid: 50, paid: 200 }
export const DAILY_INVITATIONS_TO_MAILBOX = 3
