import { Copy } from 'lucide-react'
import { keysText } from '#web/text/keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { Dialog } from '#web/ui/Dialog.tsx'

/** A key's whole value: shown once, with what to do about it. */
export function NewKeyDialog({ value, onClose }: { value: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={value !== null}
      onOpenChange={onClose}
      title={keysText.valueTitle}
      description={keysText.valueWarning}
      footer={
        <>
          <Button onClick={onClose}>{keysText.saveDone}</Button>
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
