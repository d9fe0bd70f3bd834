import { Copy } from 'lucide-react'
import { docsText } from '#web/text/docs/reference.ts'
import { copyText } from './clipboard.ts'
import { IconButton } from './IconButton.tsx'

export type CopyableField = { label: string; value: string; note?: string }

/** Lists the values for the fields of another program, each with a copy button. */
export function CopyableFields({ settings: fields }: { settings: CopyableField[] }) {
  return (
    <dl className="divide-y rounded-xl border">
      {fields.map(({ label, value, note }) => (
        <div
          key={label}
          className="grid grid-cols-[1fr_auto] items-center gap-x-3 px-3.5 py-1.5 text-note md:grid-cols-[10rem_1fr_auto]"
        >
          <dt className="text-ink2 max-md:col-start-1">
            {label}
            {note && <span className="block text-xs text-ink3">{note}</span>}
          </dt>
          <dd className="min-w-0 font-mono text-xs break-all max-md:col-start-1">{value}</dd>
          <dd className="max-md:col-start-2 max-md:row-span-2 max-md:row-start-1">
            <IconButton size="sm" label={docsText.copyField(label)} onClick={() => void copyText(value)}>
              <Copy size={15} aria-hidden />
            </IconButton>
          </dd>
        </div>
      ))}
    </dl>
  )
}
