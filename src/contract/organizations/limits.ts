/** Addresses of one call. */
export const MAX_INVITED_EMAILS = 50
export const MAX_MEMBERS = 500
/** How long the link of an invitation can be used. */
export const INVITATION_DAYS = 7
/** Coins. */
export const MAX_DEPOSIT = 1_000_000
