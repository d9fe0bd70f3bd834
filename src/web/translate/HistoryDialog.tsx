import { router } from '@inertiajs/react'
import { useEffect } from 'react'
import { SessionList } from '#web/history/history.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FANYI } from './text/translateText.ts'

/** The person's translations of texts: by age, or those in which a word is found. */
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
