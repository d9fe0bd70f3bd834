import { chatText } from '../text/chat.ts'
import { searchText } from '../text/search.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import type { TurnActions } from './actions.ts'
import { AnswerEnd } from './AnswerEnd.tsx'
import { AnswerFoot } from './AnswerFoot.tsx'
import { PLACEHOLDER } from './limits.ts'
import { useLive } from './live.ts'
import { Reasoning } from './Reasoning.tsx'
import { Related } from './Related.tsx'
import type { Turn } from './turns.ts'

// Asked for as soon as the chat is loaded, but not part of its first load.
const Markdown = lazyPart(() => import('./markdown/Markdown.tsx'), {
  now: true,
  quiet: true,
  fallback: ({ text }) => (
    <p className="text-[15px] leading-[1.8] wrap-anywhere whitespace-pre-wrap">{text}</p>
  ),
})
const Sources = lazyPart(() => import('./search/Sources.tsx'))

type Props = {
  turn: Turn
  last: boolean
  /** Something is being answered: nothing of the conversation can be changed. */
  busy: boolean
  actions: TurnActions
}

/** The answer, without a bubble: what was thought, its text, how it ended, and what can be done with it. */
export function Answer({ turn, last, busy, actions }: Props) {
  const { text, reasoning, reasoning_ms } = useLive(turn)
  const typing = turn.status === 'typing'
  const waiting = typing && (text === '' || text === PLACEHOLDER)
  return (
    <div className="group py-3">
      <article aria-label={chatText.answer} aria-busy={typing} data-answer={turn.id} data-turn={turn.key}>
        {reasoning && <Reasoning reasoning={reasoning} ms={reasoning_ms} thinking={waiting} />}
        {waiting ? (
          !reasoning && (
            <p className="animate-shimmer text-[15px] leading-[1.8] text-ink2">
              {turn.search?.state === 'searching' ? searchText.searching : PLACEHOLDER}
            </p>
          )
        ) : (
          <div className={typing ? 'md-typing' : undefined}>
            <Markdown text={text} streaming={typing} sources={turn.search?.sources} />
          </div>
        )}
        {turn.search && <Sources search={turn.search} />}
        {!typing && (
          <AnswerEnd turn={turn} {...(last ? { onRegenerate: () => actions.regenerate(turn) } : {})} />
        )}
      </article>
      {!typing && <AnswerFoot turn={turn} text={text} last={last} busy={busy} actions={actions} />}
      {last && !typing && <Related turn={turn} onAsk={actions.ask} />}
    </div>
  )
}
