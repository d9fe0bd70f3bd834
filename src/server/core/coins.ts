/** 1 coin = 1,000,000 micro-coins; 100 coins = 1 yuan (specification section 9, reference-product "Money"). */
export const MICRO_PER_COIN = 1_000_000
const COINS_PER_YUAN = 100

/** Micro-coins of an amount of coins with at most six decimals. */
export const toMicroCoins = (coins: number): bigint => BigInt(Math.round(coins * MICRO_PER_COIN))

/** Coins with two decimals, rounded down: a balance never shows more than it can pay. */
export const toCoins = (micro: bigint): number => Number(micro / 10_000n) / 100

/** A balance and its part in gift coins, with two decimals. Their difference, which can be moved, is never shown too large. */
export const toCoinsWithGift = (
  balance: bigint,
  gift: bigint,
): { balance: number; gift_balance: number } => ({
  balance: toCoins(balance),
  gift_balance: Number(balance / 10_000n - (balance - gift) / 10_000n) / 100,
})

/** Coins with two decimals, rounded up: an amount needed is never shown smaller than it is. */
export const toCoinsNeeded = (micro: bigint): number => toCoins(micro + 9_999n)

/** Coins with all six decimals: a call often costs less than a hundredth of a coin. */
export const toExactCoins = (micro: bigint): number => Number(micro) / MICRO_PER_COIN

/** Yuan with all eight decimals: one division only, so that the result is the number nearest to the exact amount. */
export const toExactYuan = (micro: bigint): number => Number(micro) / (MICRO_PER_COIN * COINS_PER_YUAN)
