import { clsx } from 'clsx'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useIsHydrated } from '#web/core/useIsHydrated.ts'
import { homeText } from '#web/text/site/home.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Flow } from '#web/ui/water/Flow.tsx'
import { countArrived, parseAnswer, recordedRun, type Span } from './recordedRun.ts'

const text = homeText.run
const answer = recordedRun.pieces.map(([, piece]) => piece).join('')
const paragraphs = parseAnswer(answer)
/** Delay before the playback starts, so that the picture is seen first. */
const LEAD_MS = 700

/**
 * Plays a recorded run at its original pace. Text that has not arrived takes its space unseen, so that nothing moves; with
 * reduced motion all text is there at once.
 */
export function RecordedRun({ children }: { children?: ReactNode }) {
  const { arrivedChars, isPlaying, play } = usePlayback()
  return (
    <figure
      aria-label={text.label}
      className="flex flex-col gap-5 rounded-3xl border bg-panel p-6 text-reading leading-reading shadow-soft md:p-7"
    >
      <p className="max-w-[85%] self-end rounded-2xl bg-accent-soft px-4 py-2">{recordedRun.question}</p>
      <div className="flex gap-3.5">
        <span className="mt-1">
          <Logo size={22} />
        </span>
        <div className="relative flex min-w-0 flex-col gap-2.5">
          {arrivedChars === 0 && <Flow className="absolute top-2 left-0" />}
          {paragraphs.map((spans) => (
            <p key={spans[0]?.start}>
              {spans.map((span) => (
                <ArrivingSpan key={span.start} span={span} arrivedChars={arrivedChars} />
              ))}
            </p>
          ))}
        </div>
      </div>
      <ol aria-label={text.sources} className="flex flex-col gap-1 border-t pt-4 text-note text-ink2">
        {recordedRun.sources.map(({ n, title, site }) => (
          <li key={n} className="flex items-baseline gap-2">
            <Citation n={n} />
            <span className="min-w-0 truncate">{title.split(' › ')[0]}</span>
            <span className="shrink-0 text-ink3">{site}</span>
          </li>
        ))}
      </ol>
      <figcaption className="-mt-2 flex items-start gap-2 text-xs leading-5 text-ink3">
        <span className="flex-1">
          {text.note(recordedRun.recorded_on, (recordedRun.done_ms / 1000).toFixed(1))}
        </span>
        <IconButton size="sm" label={text.again} onClick={play} disabled={isPlaying} className="-my-1">
          <RotateCcw size={15} aria-hidden />
        </IconButton>
      </figcaption>
      {children}
    </figure>
  )
}

function usePlayback() {
  const isStill = useIsHydrated() && matchMedia('(prefers-reduced-motion: reduce)').matches
  const [round, setRound] = useState(0)
  const [playedChars, setPlayedChars] = useState(0)
  const arrivedChars = isStill ? answer.length : playedChars
  useEffect(() => {
    if (isStill) return
    const startTime = performance.now() + LEAD_MS
    let frame = requestAnimationFrame(function show() {
      const count = countArrived(recordedRun, performance.now() - startTime)
      setPlayedChars(count)
      if (count < answer.length) frame = requestAnimationFrame(show)
    })
    return () => cancelAnimationFrame(frame)
  }, [isStill, round])
  return { arrivedChars, isPlaying: arrivedChars < answer.length, play: () => setRound(round + 1) }
}

function ArrivingSpan({ span, arrivedChars }: { span: Span; arrivedChars: number }) {
  if (span.kind === 'citation') {
    return (
      <span className={clsx(arrivedChars <= span.start && 'invisible')}>
        <Citation n={span.n} />
      </span>
    )
  }
  const visibleChars = Math.max(0, arrivedChars - span.start)
  const content = (
    <>
      {span.text.slice(0, visibleChars)}
      <span className="invisible">{span.text.slice(visibleChars)}</span>
    </>
  )
  return span.kind === 'strong' ? <strong className="font-semibold">{content}</strong> : content
}

/** Set like text and joined to the words around it: no line begins with it, nor with the punctuation after it. */
const Citation = ({ n }: { n: number }) => (
  <span className="mx-0.5 rounded-full bg-accent-soft px-1.5 py-[3px] align-[2px] text-tiny leading-none font-medium text-accent tabular-nums">
    {`\u2060${n}\u2060`}
  </span>
)
