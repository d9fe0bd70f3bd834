import { keysText } from '../text/keys.ts'
import { Badge } from '#web/ui/Badge.tsx'

/** What a key is called, with its masked value. */
export function KeyName({ name, value }: { name: string; value: string }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="text-sm font-medium break-words">{name}</span>
      <code className="font-mono text-xs text-ink3 whitespace-nowrap">{value}</code>
    </span>
  )
}

/** Whether a key works now, and why not. */
export function KeyStatus({ state }: { state: keyof typeof keysText.statuses }) {
  return <Badge tone={state === 'on' ? 'accent' : 'quiet'}>{keysText.statuses[state]}</Badge>
}
