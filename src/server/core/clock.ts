import { uuidv7 } from 'uuidv7'

/** Now, as a Date. Time is a parameter of everything that depends on it, so that tests can move it. */
export type Clock = () => Date
export const systemClock: Clock = () => new Date()

/** A new id: UUIDv7, so that rows sort by the moment they were made (RFC 9562 section 5.7). */
export const newId = (): string => uuidv7()
