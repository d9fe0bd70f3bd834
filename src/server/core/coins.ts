/** 1 coin = 1,000,000 micro-coins; 100 coins = 1 yuan (specification section 9, reference-product "Money"). */
export const MICRO_PER_COIN = 1_000_000n

/** Micro-coins of an amount of coins with at most six decimals. */
export const microFromCoins = (coins: number): bigint => BigInt(Math.round(coins * 1_000_000))

/** Coins with two decimals, rounded down: a balance never shows more than it can pay. */
export const coinsFromMicro = (micro: bigint): number => Number(micro / 10_000n) / 100
