import { Link } from '@inertiajs/react'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { getCreditUrl } from '#web/core/creditUrl.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { buttonClass } from './Button.tsx'

/** What was refused, by its key, whose person went to buy coins. */
const awaitingCoins = new Set<string>()

type Props = Parameters<typeof buttonClass>[0] & {
  /** Of what was refused: the page that comes back knows it again. */
  id: string
  /** Coins that the balance must have. */
  needed: number
  /** Asks again: called once, when who went to buy coins is back and has them. */
  onAffordable: () => void
  className?: string
  children: ReactNode
}

/** The way to the plans from what lacked coins, and back. */
export function RechargeLink({ id, needed, onAffordable, variant, size, className, children }: Props) {
  const url = usePageUrl()
  const user = useUser()
  const balance = (user?.organization?.pays ? user.organization : user)?.balance ?? 0
  const isAffordable = balance >= needed
  const askAgain = useEffectEvent(onAffordable)
  useEffect(() => {
    if (isAffordable && awaitingCoins.delete(id)) askAgain()
  }, [isAffordable, id])
  return (
    <Link
      href={getCreditUrl(url, needed)}
      onClick={() => awaitingCoins.add(id)}
      className={clsx(buttonClass({ variant, size }), className)}
    >
      {children}
    </Link>
  )
}
