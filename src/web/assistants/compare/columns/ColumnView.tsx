import { memo, use, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Message } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { ColumnActionsContext } from './columnActions.ts'
import { ColumnHeader } from './ColumnHeader.tsx'
import { getTurnKey, isAnswering, type Column } from '../state/comparison.ts'
import { TurnView } from './TurnView.tsx'
import { useFollowEnd } from './useFollowEnd.ts'

type Props = {
  column: Column
  name: string
  best: string
  /** Position among the columns, like `2/4`. */
  position: string
  newest: Message | undefined
  isHidden: boolean
  firstShown: string | undefined
  hasMore: boolean
  isWinner: boolean
}

type Turn = { question: Message; answer: Message | undefined }

/** Each question with the answer after it. */
const listColumnTurns = ({ messages }: Column): Turn[] =>
  messages.flatMap((question, i) => {
    if (question.role !== 'human') return []
    const next = messages[i + 1]
    return [{ question, answer: next?.role === 'ai' ? next : undefined }]
  })

/** The questions to a model and its answers, under its name. Each column scrolls by itself. */
export const ColumnView = memo(function ColumnView({
  column,
  name,
  best,
  position,
  newest,
  isHidden,
  firstShown,
  hasMore,
  isWinner,
}: Props) {
  const actions = use(ColumnActionsContext)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  useFollowEnd(scroller, content)
  const all = listColumnTurns(column)
  const first = firstShown ? all.findIndex(({ question }) => question.chat_id === firstShown) : 0
  const turns = first > 0 ? all.slice(first) : all
  const newestKey = newest && getTurnKey(newest)
  const isAsked = all.some(({ question }) => getTurnKey(question) === newestKey)
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [newestKey])
  const onTop = useEffectEvent(() => hasMore && actions.loadOlder())
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onTop(), {
      root: scroller.current,
    })
    if (top.current && hasMore) observer.observe(top.current)
    return () => observer.disconnect()
  }, [hasMore])
  const [index, count] = position.split('/').map(Number)
  return (
    <section
      aria-label={name}
      className="flex min-w-70 flex-1 flex-col border-r [content-visibility:auto] last:border-r-0 max-md:w-[calc(100%-2rem)] max-md:flex-none max-md:snap-center max-md:first:snap-start max-md:last:snap-end"
    >
      <ColumnHeader
        column={column}
        name={name}
        newest={newest}
        isTyping={isAnswering(column)}
        isHidden={isHidden}
        isWinner={isWinner}
      />
      <div
        ref={scroller}
        data-column
        role="region"
        aria-label={`${compareText.columnOf(name)}，${compareText.position(index ?? 1, count ?? 1)}`}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-y-contain outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        <div ref={content} className="px-4 pb-4">
          <div ref={top} />
          {firstShown && (hasMore || first > 0) && (
            <p className="pt-3 text-center text-xs text-ink3">{compareText.blindHistory}</p>
          )}
          {turns.map(({ question, answer }) => (
            <TurnView
              key={getTurnKey(question)}
              question={question}
              answer={answer}
              model={column.model}
              name={name}
              isNewest={getTurnKey(question) === newestKey}
              isHidden={isHidden}
              best={getTurnKey(question) === newestKey ? best : ''}
            />
          ))}
          {newest && !newest.local && !isAsked && (
            <div className="mt-4 rounded-xl border border-dashed px-4 py-5 text-center text-note text-ink2">
              <p>{compareText.notAsked}</p>
              <p className="mt-1 line-clamp-2 text-xs text-ink3">{newest.text}</p>
              <Button size="sm" className="mt-3" onClick={() => actions.redo(column.model, newest)}>
                {compareText.answerThis}
              </Button>
            </div>
          )}
        </div>
      </div>
    </section>
  )
})
