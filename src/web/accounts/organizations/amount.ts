/** Tells whether a text is an amount of coins as people type it: at most two decimals. */
export const isAmount = (value: string): boolean => /^\d{1,9}(\.\d{1,2})?$/.test(value.trim())
