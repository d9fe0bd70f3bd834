import { router } from '@inertiajs/react'
import { useEffect } from 'react'
import { SessionList } from '#web/conversations/history/history.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Dialog } from '#web/ui/Dialog.tsx'

/** The person's comparisons, by age or by a search. */
export default function HistoryDialog({ onClose }: { onClose: () => void }) {
  useEffect(() => router.on('navigate', onClose), [onClose])
  return (
    <Dialog open onOpenChange={onClose} title={compareText.sessions}>
      <div className="-mx-3 -mt-3">
        <SessionList chatbot="compare" label={compareText.sessions} />
      </div>
    </Dialog>
  )
}
