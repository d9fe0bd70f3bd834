import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { Button } from '#web/ui/Button.tsx'

/** Shown in place of conversations that could not be loaded. */
export function HistoryError({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="px-3 py-2 text-note text-ink2">
      <p className="mb-2">{historyText.sessionsFailed}</p>
      <Button size="sm" onClick={onRetry}>
        {chatText.retry}
      </Button>
    </div>
  )
}
