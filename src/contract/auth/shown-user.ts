/**
 * Header of the calls of a page that shows somebody as signed in: that user's uuid. Where the sign-in has ended meanwhile, or
 * another person has signed in, the call is refused instead of being made as a guest or as that person.
 */
export const SHOWN_USER_HEADER = 'X-User'
