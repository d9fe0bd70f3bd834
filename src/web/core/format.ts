/** Coins with two decimals, as amounts are shown (specification section 9): `1,128.50`. */
export const formatCoins = (amount: number): string =>
  amount.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A moment in the reader's own time zone: `2025-01-31 09:05:00`. */
export const formatDateTime = (iso: string): string => new Date(iso).toLocaleString('sv-SE')
