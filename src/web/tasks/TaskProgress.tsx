import { clsx } from 'clsx'

type Props = {
  label: string
  done: number
  /** Null while nobody knows. */
  total: number | null
  className?: string
}

/** How far a task is. */
export function TaskProgress({ label, done, total, className }: Props) {
  const percent = total ? Math.min(100, Math.floor((done / total) * 100)) : null
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className={clsx('h-1 overflow-hidden rounded-full bg-fill2', className)}
    >
      <div
        className={clsx(
          'h-full rounded-full bg-accent transition-[width]',
          percent === null &&
            'w-full animate-flow bg-[linear-gradient(90deg,transparent,var(--accent),transparent)] bg-size-[40%_100%] bg-transparent!',
        )}
        style={percent === null ? {} : { width: `${percent}%` }}
      />
    </div>
  )
}
