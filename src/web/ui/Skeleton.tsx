import { clsx } from 'clsx'

/** One grey bar in the place of what is loading; size it by `className` (`h-4 w-32`). */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx('animate-shimmer rounded-lg bg-fill2', className)} />
}
