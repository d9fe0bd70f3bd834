import { toChinaDay } from '#server/core/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { AppError } from '#server/core/app-error.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { countGuestTurn } from '#server/conversations/store.ts'

/** An address may stand for a household or an office. */
const GUESTS_PER_ADDRESS = 4

export type GuestLimits = { app_secret: string; guest_turns: number }

/** Counts a guest's turn of today. Throws AppError guest_limit when the guest or the address has had its turns. */
export async function requireGuestTurn(
  tx: Db,
  limits: GuestLimits,
  guest_id: string,
  client: string,
): Promise<void> {
  const counted = await countGuestTurn(tx, toChinaDay(new Date()), [
    { key: `guest:${guest_id}`, max: limits.guest_turns },
    {
      key: `address:${hashWithSecret(limits.app_secret, 'guest', client)}`,
      max: limits.guest_turns * GUESTS_PER_ADDRESS,
    },
  ])
  if (!counted) throw new AppError('guest_limit')
}
