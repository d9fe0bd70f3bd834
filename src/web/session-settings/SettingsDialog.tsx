import { useQuery } from '#web/core/queryClient.ts'
import { sessionSettingsText as text } from '#web/text/sessionSettings.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { getSettings } from './settings.ts'
import { SessionSettingsForm } from './SessionSettingsForm.tsx'

type Props = {
  id: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onSession: (sess_id: string) => void
}

/** System prompt and sampling of a conversation, and how its answers come. */
export default function SettingsDialog({ id, open, onOpenChange, onSession }: Props) {
  const { data, isError, refetch, isFetching } = useQuery({
    queryKey: ['chat', 'settings', id],
    queryFn: () => getSettings(id),
    enabled: open,
    // Read anew at each opening: another tab may have changed them.
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={text.title} description={text.lead}>
      {data && !isFetching ? (
        <SessionSettingsForm
          id={id}
          initial={data}
          onSession={onSession}
          onClose={() => onOpenChange(false)}
        />
      ) : isError ? (
        <div className="flex items-center justify-between gap-3 text-note text-ink2">
          {text.loadFailed}
          <Button size="sm" onClick={() => void refetch()}>
            {text.retry}
          </Button>
        </div>
      ) : (
        <div className="space-y-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-10 w-1/2" />
          <Skeleton className="h-10 w-1/2" />
        </div>
      )}
    </Dialog>
  )
}
