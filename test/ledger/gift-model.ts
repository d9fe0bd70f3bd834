// What gift coins should come to, kept beside the ledger: every account as its gift coins and its others.

/** Micro-coins of an account. */
export type Purse = { gift: bigint; rest: bigint; held: bigint }
export type Hold = { run_id: string; purse: Purse; amount: bigint }

export const createPurse = (gift = 0n): Purse => ({ gift, rest: 0n, held: 0n })
export const getFree = ({ gift, rest, held }: Purse): bigint => gift + rest - held
/** What may go to somebody else: gift coins pay what is held first. */
export const getMovable = ({ gift, rest, held }: Purse): bigint => (held > gift ? gift + rest - held : rest)

/** Ends a hold; returns what is charged for it, and what of that gift coins pay. */
export function endHold({ purse, amount }: Hold, computed: bigint): { charged: bigint; gift: bigint } {
  const most = getFree(purse) + amount
  const charged = computed < most ? computed : most
  const gift = charged < purse.gift ? charged : purse.gift
  purse.held -= amount
  purse.gift -= gift
  purse.rest -= charged - gift
  return { charged, gift }
}

/** Takes all that is not held, of which gift coins are the first that stay. */
export function forfeit(purse: Purse): void {
  const gift = purse.gift < purse.held ? purse.gift : purse.held
  Object.assign(purse, { gift, rest: purse.held - gift })
}

/** Moves all coins of an organization, none of which is held. */
export function moveAll(from: Purse, to: Purse): void {
  to.rest += from.rest
  from.rest = 0n
}
