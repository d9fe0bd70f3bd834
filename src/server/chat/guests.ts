import { dayInChina } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import { AppError } from '../core/app-error.ts'
import { keyedHash } from '../core/secrets.ts'
import { countGuestTurn } from './store.ts'

/** An address may stand for a household or an office. */
const GUESTS_PER_ADDRESS = 4

export type GuestLimits = { app_secret: string; guest_turns: number }

/** Counts a guest's turn of today. Throws AppError guest_limit when the guest or the address has had its turns. */
export async function spendGuestTurn(
  tx: Db,
  limits: GuestLimits,
  guest_id: string,
  client: string,
): Promise<void> {
  const counted = await countGuestTurn(tx, dayInChina(new Date()), [
    { key: `guest:${guest_id}`, most: limits.guest_turns },
    {
      key: `address:${keyedHash(limits.app_secret, 'guest', client)}`,
      most: limits.guest_turns * GUESTS_PER_ADDRESS,
    },
  ])
  if (!counted) throw new AppError('guest_limit')
}
