import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { useIsWideScreen } from '../useIsWideScreen.ts'

const MIN_PERCENT = 30
const MAX_PERCENT = 75
const STEP_PERCENT = 2

const clamp = (percent: number) => Math.round(Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent)))

type Side = { label: string; content: ReactNode }
type Props = {
  /** Names the divider's position in the browser's storage. */
  name: string
  /** Labels of the tabs and of the divider. */
  labels: { tabs: string; resize: string }
  left: Side
  right: Side
  /** The side that phones show; a new object for each request to show it. */
  shownSide: { side: 'left' | 'right' }
  /** Initial share of the left side, percent. */
  defaultPercent: number
}

/** Two panes side by side with a movable divider; on phones one at a time, by tabs. Both stay mounted. */
export function SplitView({ name, labels, left, right, shownSide, defaultPercent }: Props) {
  const key = `wenqu.${name}.split`
  const isWide = useIsWideScreen()
  const frame = useRef<HTMLDivElement>(null)
  const [percent, setPercent] = useState(() => clamp(Number(sharedStorage.getItem(key)) || defaultPercent))
  // A later request to show a side overrides the person's choice.
  const [choice, setChoice] = useState({ side: shownSide.side, after: shownSide })
  const side = choice.after === shownSide ? choice.side : shownSide.side
  const resize = (next: number) => {
    setPercent(clamp(next))
    sharedStorage.setItem(key, String(clamp(next)))
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !frame.current) return
    const { left: start, width } = frame.current.getBoundingClientRect()
    resize(((event.clientX - start) / width) * 100)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP_PERCENT, ArrowRight: STEP_PERCENT }[event.key]
    if (!step) return
    event.preventDefault()
    resize(percent + step)
  }
  return (
    <div
      ref={frame}
      className="flex min-h-0 flex-1 overflow-hidden border-t max-md:flex-col md:rounded-b-2xl"
    >
      {!isWide && (
        <div role="group" aria-label={labels.tabs} className="flex shrink-0 border-b px-4">
          {(['left', 'right'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={side === one}
              onClick={() => setChoice({ side: one, after: shownSide })}
              className="-mb-px min-h-11 flex-1 border-b-2 border-transparent text-ink2 aria-pressed:border-ink aria-pressed:font-medium aria-pressed:text-ink"
            >
              {(one === 'left' ? left : right).label}
            </button>
          ))}
        </div>
      )}
      <div
        hidden={!isWide && side !== 'left'}
        className="flex min-h-0 min-w-0 flex-col pt-2.5 [&[hidden]]:hidden max-md:flex-1"
        style={isWide ? { width: `${percent}%` } : {}}
      >
        {left.content}
      </div>
      {isWide && (
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label={labels.resize}
          aria-valuenow={percent}
          aria-valuemin={MIN_PERCENT}
          aria-valuemax={MAX_PERCENT}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
          onKeyDown={onKeyDown}
          onDoubleClick={() => resize(defaultPercent)}
          className="relative w-px shrink-0 cursor-col-resize touch-none bg-line transition-colors after:absolute after:inset-y-0 after:-inset-x-1.5 hover:bg-accent focus-visible:bg-accent"
        />
      )}
      <div
        hidden={!isWide && side !== 'right'}
        className="flex min-h-0 min-w-0 flex-1 flex-col md:min-w-64 [&[hidden]]:hidden"
      >
        {right.content}
      </div>
    </div>
  )
}
