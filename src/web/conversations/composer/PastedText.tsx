import { ScrollText, X } from 'lucide-react'
import { useState } from 'react'
import { VList } from 'virtua'
import { pasteText } from '#web/text/attachments.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

/** A long pasted text, folded to one chip: it can be viewed and removed, and is sent as text. */
export default function PastedText({ text, onRemove }: { text: string; onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  const lines = text.split('\n')
  return (
    <div className="flex px-3 pt-3">
      <div className="flex min-w-0 items-center gap-1 rounded-xl border bg-panel p-1">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`${pasteText.chip(lines.length)}，${pasteText.open}`}
          onClick={() => setOpen(true)}
          className="flex min-w-0 items-center gap-2.5 rounded-lg px-2 py-1 text-left transition-colors hover:bg-fill max-md:min-h-11"
        >
          <ScrollText size={18} aria-hidden className="shrink-0 text-ink2" />
          <span className="min-w-0">
            <span className="block truncate text-note font-medium tabular-nums">
              {pasteText.chip(lines.length)}
            </span>
            <span className="block truncate text-xs text-ink3 tabular-nums">
              {pasteText.size(text.length)}
            </span>
          </span>
        </button>
        <IconButton label={pasteText.remove} size="sm" onClick={onRemove}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      <Dialog open={open} onOpenChange={setOpen} title={pasteText.chip(lines.length)}>
        <VList
          data={lines}
          tabIndex={0}
          role="region"
          aria-label={pasteText.chip(lines.length)}
          className="h-[min(60dvh,32rem)]! rounded-xl bg-fill p-3 font-mono text-xs leading-5"
        >
          {(line, n) => (
            <div key={n} className="wrap-anywhere whitespace-pre-wrap">
              {line || '\u200b'}
            </div>
          )}
        </VList>
      </Dialog>
    </div>
  )
}
