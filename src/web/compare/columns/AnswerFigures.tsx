import { Copy, MessageSquareShare, RotateCcw } from 'lucide-react'
import { use } from 'react'
import { formatCount, formatFineAmount, formatSeconds } from '#web/core/numberFormat.ts'
import type { Message } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { copyText } from '#web/ui/clipboard.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ColumnActionsContext } from './columnActions.ts'
import { getFigures, type Figures } from '../state/figures.ts'

type Props = {
  question: Message
  answer: Message
  model: string
  name: string
  isHidden: boolean
  /** Figures that are the best of the turn, separated by commas. */
  best: string
}

const labels: { key: keyof Figures; format: (figures: Figures) => string | null }[] = [
  {
    key: 'first_text_ms',
    format: ({ first_text_ms: ms }) => (ms === null ? null : compareText.firstText(formatSeconds(ms))),
  },
  { key: 'speed', format: ({ speed }) => (speed === null ? null : compareText.speed(speed.toFixed(0))) },
  { key: 'tokens', format: ({ tokens }) => compareText.tokens(formatCount(tokens)) },
  { key: 'amount', format: ({ amount }) => compareText.coins(formatFineAmount(amount)) },
]

/** Under an answer: how fast it was and what it cost, and what can be done with it. */
export function AnswerFigures({ question, answer, model, name, isHidden, best }: Props) {
  const { redo, continueWith } = use(ColumnActionsContext)
  const figures = getFigures(answer)
  const bestKeys = best.split(',')
  const isDone = answer.status === 'done' || answer.status === 'cancelled'
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
      <div role="group" aria-label={compareText.answerOf(name)} className="-ml-1.5 flex">
        {answer.text && (
          <IconButton size="sm" label={compareText.copy} onClick={() => void copyText(answer.text)}>
            <Copy size={15} aria-hidden />
          </IconButton>
        )}
        {isDone && (
          <IconButton size="sm" label={compareText.redo} onClick={() => redo(model, question)}>
            <RotateCcw size={15} aria-hidden />
          </IconButton>
        )}
        {answer.text && !isHidden && (
          <IconButton size="sm" label={compareText.continueWith} onClick={() => continueWith(answer)}>
            <MessageSquareShare size={15} aria-hidden />
          </IconButton>
        )}
      </div>
      {figures && !isHidden && (
        <ul
          aria-label={compareText.figures(name)}
          className="-ml-1.5 flex flex-wrap gap-x-1 text-xs text-ink3 tabular-nums"
        >
          {labels.map(({ key, format }) => {
            const text = format(figures)
            const label = bestKeys.includes(key) ? compareText.best[key] : undefined
            return (
              text !== null && (
                <li
                  key={key}
                  data-tooltip={label}
                  className={
                    label
                      ? 'rounded-md bg-accent-soft px-1.5 py-0.5 font-medium text-accent'
                      : 'px-1.5 py-0.5'
                  }
                >
                  {text}
                  {label && <span className="sr-only">，{label}</span>}
                </li>
              )
            )
          })}
        </ul>
      )}
    </div>
  )
}
