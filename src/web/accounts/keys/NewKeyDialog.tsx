import { Copy } from 'lucide-react'
import { useState } from 'react'
import { keysText } from '#web/text/keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { AnyKey } from './keyCalls.ts'

/** Shows the whole value of the newest key until the person confirms it, with advice on storing it. */
export function NewKeyDialog({ newest }: { newest: AnyKey | null }) {
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const rawValue = newest?.raw_value ?? null
  const value = rawValue === confirmed ? null : rawValue
  const close = () => setConfirmed(rawValue)
  return (
    <Dialog
      open={value !== null}
      onOpenChange={close}
      title={keysText.valueTitle}
      description={keysText.valueWarning}
      footer={
        <>
          <Button onClick={close}>{keysText.saveDone}</Button>
          <Button variant="primary" onClick={() => void copyText(value ?? '')}>
            <Copy size={15} aria-hidden />
            {keysText.copy}
          </Button>
        </>
      }
    >
      <output
        aria-label={keysText.value}
        className="block rounded-xl border bg-fill p-3.5 font-mono text-note break-all select-all"
      >
        {value}
      </output>
    </Dialog>
  )
}

/** The whole value of the newest key while that key exists; null otherwise. */
export function getUsableKeyValue(newest: AnyKey | null, keys: AnyKey[] = []): string | null {
  const current = keys.find(({ uuid }) => uuid === newest?.uuid)
  // A value that another tab has replaced meanwhile would not work.
  return current && current.value === newest?.value ? newest.raw_value : null
}
