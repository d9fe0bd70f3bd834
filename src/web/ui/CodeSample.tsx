import { Copy } from 'lucide-react'
import { docsText } from '#web/text/docs/reference.ts'
import { copyText } from './clipboard.ts'
import { IconButton } from './IconButton.tsx'

/** Shows code with a copy button. `label` tells several samples apart. */
export function CodeSample({ code, label = '' }: { code: string; label?: string | undefined }) {
  return (
    <div className="relative rounded-xl border bg-fill pr-12 max-md:pr-14">
      <pre
        tabIndex={0}
        aria-label={docsText.exampleOf(label)}
        className="overflow-x-auto rounded-xl p-3.5 pr-0 font-mono text-xs leading-relaxed"
      >
        {code}
      </pre>
      <IconButton
        size="sm"
        label={docsText.copyOf(label)}
        onClick={() => void copyText(code)}
        className="absolute top-2 right-2 bg-fill hover:bg-fill2"
      >
        <Copy size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
