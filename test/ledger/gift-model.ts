// A model of gift coins beside the ledger: every account as its gift coins and its others.

/** Micro-coins of an account. */
export type Purse = { gift: bigint; rest: bigint; held: bigint }
export type Hold = { run_id: string; purse: Purse; amount: bigint }

export const createPurse = (gift = 0n): Purse => ({ gift, rest: 0n, held: 0n })
export const getFree = ({ gift, rest, held }: Purse): bigint => gift + rest - held
/** Returns the coins that may go to another account: gift coins are the first to pay a hold. */
export const getMovable = ({ gift, rest, held }: Purse): bigint => (held > gift ? gift + rest - held : rest)

/** Ends a hold; returns the charge, and the part of it that gift coins pay. */
export function endHold({ purse, amount }: Hold, computed: bigint): { charged: bigint; gift: bigint } {
  const most = getFree(purse) + amount
  const charged = computed < most ? computed : most
  const gift = charged < purse.gift ? charged : purse.gift
  purse.held -= amount
  purse.gift -= gift
  purse.rest -= charged - gift
  return { charged, gift }
}

/** Takes all coins that are not held; gift coins are the first to stay. */
export function forfeit(purse: Purse): void {
  const gift = purse.gift < purse.held ? purse.gift : purse.held
  Object.assign(purse, { gift, rest: purse.held - gift })
}

/** Moves all coins of an organization; none may be held. */
export function moveAll(from: Purse, to: Purse): void {
  to.rest += from.rest
  from.rest = 0n
}
