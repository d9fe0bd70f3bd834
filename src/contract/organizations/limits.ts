/** Most addresses in one call. */
export const MAX_INVITED_EMAILS = 50
export const MAX_MEMBERS = 500
/** Life of an invitation's link, days. */
export const INVITATION_DAYS = 7
/** Coins. */
export const MAX_DEPOSIT = 1_000_000
/** Mails with an invitation that one account may cause in 24 hours, before and after its first payment. */
export const DAILY_INVITATIONS = { unpaid: 10, paid: 100 }
/** The same for all accounts that invite from one network address, or to one mailbox. */
export const DAILY_INVITATIONS_BY_CLIENT = { unpaid: 50, paid: 200 }
export const DAILY_INVITATIONS_TO_MAILBOX = 3
