import { useQuery } from '#web/core/queryClient.ts'
import { sessionSettingsText as text } from '#web/text/sessionSettings.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { getSettings } from './settings.ts'
import { SessionSettingsForm } from './SessionSettingsForm.tsx'

type Props = {
  id: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onSession: (sessId: string) => void
}

/** Edits a conversation's system prompt, sampling and streaming. */
export default function SettingsDialog({ id, open, onOpenChange, onSession }: Props) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['chat', 'settings', id],
    queryFn: () => getSettings(id),
    enabled: open,
    // Loaded at each opening: another tab may have changed the settings.
    staleTime: 0,
    gcTime: 0,
    // Refetching would overwrite the form while it is open.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={text.title} description={text.lead}>
      <QueryView
        // Data of an earlier opening is hidden while it is reloaded, and when that fails.
        query={{ data: isFetching || error ? undefined : data, error: isFetching ? null : error, refetch }}
        failed={(retry) => <SettingsFailed onRetry={retry} />}
        skeleton={<SettingsSkeleton />}
      >
        {(settings) => (
          <SessionSettingsForm
            id={id}
            initial={settings}
            onSession={onSession}
            onClose={() => onOpenChange(false)}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

const SettingsFailed = ({ onRetry }: { onRetry: () => void }) => (
  <div className="flex items-center justify-between gap-3 text-note text-ink2">
    {text.loadFailed}
    <Button size="sm" onClick={onRetry}>
      {uiText.retry}
    </Button>
  </div>
)

const SettingsSkeleton = () => (
  <div className="space-y-4">
    <Skeleton className="h-24" />
    <Skeleton className="h-10 w-1/2" />
    <Skeleton className="h-10 w-1/2" />
  </div>
)
