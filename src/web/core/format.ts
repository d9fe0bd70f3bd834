/** Coins with two decimals, as amounts are shown (specification section 9): `1,128.50`. */
export const coins = (amount: number): string =>
  amount.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A moment in the reader's own time zone: `2025-01-31 09:05:00`. */
export const moment = (iso: string): string => new Date(iso).toLocaleString('sv-SE')
