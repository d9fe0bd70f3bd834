import { Copy } from 'lucide-react'
import { modelsText } from '#web/text/models.ts'
import { copyText } from '#web/ui/clipboard.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

/** Shows the id by which programs call a model, with a button that copies it. */
export function ModelId({ id }: { id: string }) {
  return (
    <span className="flex min-w-0 items-center">
      <code className="truncate font-mono text-xs text-ink2">{id}</code>
      <IconButton
        size="sm"
        label={modelsText.copyId(id)}
        onClick={() => void copyText(id)}
        className="relative max-md:-my-1"
      >
        <Copy size={14} aria-hidden />
      </IconButton>
    </span>
  )
}
