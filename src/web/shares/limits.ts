import type * as shares from '#contract/shares.ts'

// The contract's constant, without the schema library beside it.
export const MAX_CHOSEN: typeof shares.MAX_SELECTED_MESSAGES = 200
