import { Copy, MessageSquareShare, RotateCcw } from 'lucide-react'
import { use } from 'react'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import type { Message } from '#web/conversations/conversations.ts'
import { useUser } from '#web/core/user.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { FiguresButton } from '#web/conversations/thread/thread.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ColumnActionsContext } from './columnActions.ts'
import { compared, getFigures } from '../state/figures.ts'

type Props = {
  question: Message
  answer: Message
  model: string
  name: string
  isHidden: boolean
  /** Figures in which the answer is the best of the turn, separated by commas. */
  best: string
}

/**
 * The actions under an answer, its cost, and the figures in which it is the best of the turn; a click shows the other figures.
 * Guests pay nothing and see only the best figures.
 */
export function AnswerFigures({ question, answer, model, name, isHidden, best }: Props) {
  const { redo, continueWith } = use(ColumnActionsContext)
  const isGuest = useUser() === null
  const figures = getFigures(answer)
  const bestKeys = compared.filter((key) => best.split(',').includes(key))
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
        <div
          role="group"
          aria-label={compareText.figures(name)}
          className="-ml-2 flex flex-wrap items-center gap-1"
        >
          {!isGuest && (
            <FiguresButton
              message={answer}
              compared={{
                speed: figures.speed,
                best: Object.fromEntries(bestKeys.map((key) => [key, compareText.best[key]])),
              }}
            >
              {compareText.coins(formatFineAmount(figures.amount))}
            </FiguresButton>
          )}
          {bestKeys.map((key) => (
            <Badge key={key}>{compareText.best[key]}</Badge>
          ))}
        </div>
      )}
    </div>
  )
}
