import { clsx } from 'clsx'
import { memo } from 'react'
import { useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { AnswerBody, QuestionBubble, QuestionDocuments } from '#web/conversations/thread/thread.tsx'
import { AnswerFailure } from './AnswerFailure.tsx'
import { AnswerFigures } from './AnswerFigures.tsx'

type Props = {
  question: Message
  answer: Message | undefined
  model: string
  name: string
  isNewest: boolean
  isHidden: boolean
  best: string
}

/** A question in a column with its answer. Older turns are laid out only near the screen. */
export const TurnView = memo(function TurnView({ question, answer, isNewest, ...rest }: Props) {
  return (
    <div
      className={clsx('pt-4', !isNewest && '[contain-intrinsic-size:auto_40rem] [content-visibility:auto]')}
    >
      <QuestionDocuments message={question} />
      <article aria-label={chatText.question} className="flex justify-end">
        <QuestionBubble message={question} className="max-h-36 text-note! leading-6!" />
      </article>
      {answer && <ColumnAnswer {...{ question, answer, ...rest }} />}
    </div>
  )
})

type AnswerProps = Omit<Props, 'answer' | 'isNewest'> & { answer: Message }

function ColumnAnswer({ question, answer, model, name, isHidden, best }: AnswerProps) {
  const live = useLiveAnswer(answer)
  const isTyping = answer.status === 'typing'
  return (
    <div className="pt-3">
      <AnswerBody message={answer} live={live} label={compareText.columnOf(name)}>
        {answer.status === 'cancelled' && <p className="mt-2 text-note text-ink3">{compareText.stopped}</p>}
        {(answer.status === 'failed' || answer.status === 'interrupted') && (
          <AnswerFailure {...{ question, answer, model }} />
        )}
      </AnswerBody>
      {!isTyping && !answer.local && <AnswerFigures {...{ question, answer, model, name, isHidden, best }} />}
    </div>
  )
}
