import { Link } from '@inertiajs/react'
import { request } from '#web/core/api.ts'
import { useQuery } from '#web/core/queryClient.ts'
import { blockListKey, formatBytes } from '#web/files/files.ts'
import { blocksText } from '#web/text/blocks.ts'

/** Share of the storage from which a warning is shown. */
const NEARLY_FULL = 0.9

/** The account's used storage; nothing while it is unknown. */
export function StorageUse({ className = '' }: { className?: string }) {
  const { data } = useQuery({
    // Nested under the list's key, so that it is refetched when a document comes or goes.
    queryKey: [...blockListKey, 'storage'],
    queryFn: ({ signal }) => request('GET /api/user/storage', {}, { signal }),
    staleTime: 60_000,
  })
  if (!data) return null
  const { used_bytes, max_bytes, count } = data
  const share = Math.min(1, used_bytes / max_bytes)
  const isNearlyFull = share >= NEARLY_FULL
  return (
    <div className={className}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-note text-ink3">
        <span className="tabular-nums">
          {blocksText.storage(formatBytes(used_bytes), formatBytes(max_bytes), count)}
        </span>
        {isNearlyFull && (
          <span className="text-danger">
            {blocksText.nearlyFull}
            <Link href="/credit" className="ml-1.5 underline underline-offset-2">
              {blocksText.moreStorage}
            </Link>
          </span>
        )}
      </div>
      <div
        role="meter"
        aria-label={blocksText.storageLabel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-fill"
      >
        <div
          className={`h-full rounded-full ${isNearlyFull ? 'bg-danger' : 'bg-accent'}`}
          style={{ width: `${share * 100}%`, minWidth: used_bytes ? '0.375rem' : 0 }}
        />
      </div>
    </div>
  )
}
