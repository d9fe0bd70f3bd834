import { Link } from '@inertiajs/react'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { getCreditUrl } from '#web/core/creditUrl.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { buttonClass } from './Button.tsx'

/** Ids of refused actions whose person went to buy coins. */
const awaitingCoins = new Set<string>()

type Props = Parameters<typeof buttonClass>[0] & {
  /** Id of the refused action, by which the page recognises it after the purchase. */
  id: string
  /** Coins that the balance must have. */
  neededCoins: number
  /** Called once, when the person is back with enough coins. */
  onAffordable: () => void
  className?: string
  children: ReactNode
}

/** Links from an action that lacked coins to the plans, and back. */
export function RechargeLink({ id, neededCoins, onAffordable, variant, size, className, children }: Props) {
  const url = usePageUrl()
  const user = useUser()
  const balance = (user?.organization?.pays ? user.organization : user)?.balance ?? 0
  const isAffordable = balance >= neededCoins
  const askAgain = useEffectEvent(onAffordable)
  useEffect(() => {
    if (isAffordable && awaitingCoins.delete(id)) askAgain()
  }, [isAffordable, id])
  return (
    <Link
      href={getCreditUrl(url, neededCoins)}
      onClick={() => awaitingCoins.add(id)}
      className={clsx(buttonClass({ variant, size }), className)}
    >
      {children}
    </Link>
  )
}
