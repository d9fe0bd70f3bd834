import { chatText } from '#web/text/chat.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { Markdown } from '#web/markdown/markdown.tsx'
import { Sources, WEB_SEARCH } from '#web/web-search/web-search.ts'
import type { MessageActions } from './messageActions.ts'
import { AnswerStatus } from './AnswerStatus.tsx'
import { AnswerFooter } from './AnswerFooter.tsx'
import { PLACEHOLDER, useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { Reasoning } from './Reasoning.tsx'
import { RelatedPrompts } from './RelatedPrompts.tsx'

type Props = {
  message: Message
  isLast: boolean
  /** Something is being answered: nothing of the conversation can be changed. */
  busy: boolean
  actions: MessageActions
}

/** The answer, without a bubble: what was thought, its text, how it ended, and what can be done with it. */
export function Answer({ message, isLast, busy, actions }: Props) {
  const { text, reasoning, reasoning_ms } = useLiveAnswer(message)
  const isTyping = message.status === 'typing'
  const isWaiting = isTyping && (text === '' || text === PLACEHOLDER)
  return (
    <div className="group py-3">
      <article
        aria-label={chatText.answer}
        aria-busy={isTyping}
        data-answer={message.id}
        data-turn={message.key}
      >
        {reasoning && <Reasoning reasoning={reasoning} ms={reasoning_ms} isThinking={isWaiting} />}
        {isWaiting ? (
          !reasoning && (
            <p className="animate-shimmer text-reading leading-reading text-ink2">
              {message.search?.state === 'searching' && message.tools.includes(WEB_SEARCH)
                ? webSearchText.searching
                : PLACEHOLDER}
            </p>
          )
        ) : (
          <div className={isTyping ? 'md-typing' : undefined}>
            <Markdown text={text} streaming={isTyping} sources={message.search?.sources} />
          </div>
        )}
        {message.search && <Sources search={message.search} text={text} tools={message.tools} />}
        {!isTyping && <AnswerStatus message={message} actions={isLast ? actions : null} />}
      </article>
      {!isTyping && (
        <AnswerFooter message={message} text={text} isLast={isLast} busy={busy} actions={actions} />
      )}
      {isLast && !isTyping && <RelatedPrompts message={message} onAsk={actions.ask} />}
    </div>
  )
}
