import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Shown in place of conversations that are being loaded. */
export function HistorySkeleton() {
  return (
    <div className="space-y-4 px-3 py-3">
      {['w-4/5', 'w-3/5', 'w-11/12', 'w-2/3'].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  )
}
