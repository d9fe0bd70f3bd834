import { clsx } from 'clsx'
import { FlowBar } from '#web/ui/water/Flow.tsx'

type Props = {
  label: string
  done: number
  /** Null while unknown. */
  total: number | null
  className?: string
}

/** Shows a task's progress; an animation of water while the total is unknown. */
export function TaskProgress({ label, done, total, className }: Props) {
  const percent = total ? Math.min(100, Math.floor((done / total) * 100)) : null
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className={clsx('h-1 overflow-hidden rounded-full', percent !== null && 'bg-fill2', className)}
    >
      {percent === null ? (
        <FlowBar />
      ) : (
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
      )}
    </div>
  )
}
