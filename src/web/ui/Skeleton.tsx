import { clsx } from 'clsx'

/** One grey bar in place of loading content; `className` sizes it (`h-4 w-32`). */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx('animate-shimmer rounded-lg bg-fill2', className)} />
}
