import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Stands in place of messages that are being loaded. */
export function ThreadSkeleton() {
  return (
    <div className="mx-auto w-full max-w-[calc(48rem+3rem)] flex-1 px-4 pt-6 md:px-6">
      <Skeleton className="ml-auto h-11 w-56 rounded-[18px]!" />
      <div className="mt-7 space-y-3.5">
        {['w-11/12', 'w-full', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`h-4 ${width}`} />
        ))}
      </div>
    </div>
  )
}
