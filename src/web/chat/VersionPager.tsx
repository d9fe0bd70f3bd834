import { ChevronLeft, ChevronRight } from 'lucide-react'
import { turnsText } from '../text/turns.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { Turn } from './turns.ts'

type Props = { turn: Turn; disabled: boolean; onChoose: (id: string) => void }

/** ‹ 2/3 › where a message has other versions. */
export function VersionPager({ turn: { id, versions }, disabled, onChoose }: Props) {
  if (versions.length < 2) return null
  const at = versions.indexOf(id)
  const step = (by: -1 | 1) => {
    const version = versions[at + by]
    const Icon = by < 0 ? ChevronLeft : ChevronRight
    // Never disabled as a whole: the focus would be lost at the ends.
    return (
      <IconButton
        label={by < 0 ? turnsText.older : turnsText.newer}
        size="sm"
        aria-disabled={!version || disabled || undefined}
        onClick={() => version && !disabled && onChoose(version)}
        className="aria-disabled:cursor-default aria-disabled:opacity-35 aria-disabled:hover:bg-transparent"
      >
        <Icon size={16} aria-hidden />
      </IconButton>
    )
  }
  return (
    <div role="group" aria-label={turnsText.versions} className="flex items-center">
      {step(-1)}
      <span aria-live="polite" className="min-w-7 text-center text-xs text-ink2 tabular-nums">
        {turnsText.position(at + 1, versions.length)}
      </span>
      {step(1)}
    </div>
  )
}
