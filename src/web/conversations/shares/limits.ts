import type * as shares from '#contract/shares.ts'

// The contract's constant, copied to keep the schema library out of the bundle.
export const MAX_CHOSEN: typeof shares.MAX_SELECTED_MESSAGES = 200
