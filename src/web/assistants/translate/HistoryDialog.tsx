import { router } from '@inertiajs/react'
import { useEffect } from 'react'
import { SessionList } from '#web/conversations/history/history.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FANYI } from './text/translateText.ts'

/** Lists the person's text translations by age, or searches them. */
export default function HistoryDialog({ onClose }: { onClose: () => void }) {
  useEffect(() => router.on('navigate', onClose), [onClose])
  return (
    <Dialog open onOpenChange={onClose} title={text.history}>
      <div className="-mx-3 -mt-3">
        <SessionList chatbot={FANYI} label={text.history} />
      </div>
    </Dialog>
  )
}
