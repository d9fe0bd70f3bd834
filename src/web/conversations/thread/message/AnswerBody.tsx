import type { ReactNode } from 'react'
import { chatText } from '#web/text/chat.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { Markdown } from '#web/markdown/markdown.tsx'
import { Sources, WEB_SEARCH } from '#web/conversations/web-search/web-search.ts'
import { PLACEHOLDER, type useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { Flow } from '#web/ui/water/Flow.tsx'
import { Reasoning } from './Reasoning.tsx'

type Props = {
  message: Message
  live: ReturnType<typeof useLiveAnswer>
  label?: string
  /** The end state of the answer. */
  children?: ReactNode
}

/** Shows an answer's reasoning, its text so far, and its sources. */
export function AnswerBody({ message, live, label = chatText.answer, children }: Props) {
  const { text, reasoning, reasoning_ms } = live
  const isTyping = message.status === 'typing'
  const isWaiting = isTyping && (text === '' || text === PLACEHOLDER)
  return (
    <article aria-label={label} aria-busy={isTyping} data-answer={message.id} data-turn={message.key}>
      {reasoning && <Reasoning reasoning={reasoning} ms={reasoning_ms} isThinking={isWaiting} />}
      {isWaiting ? (
        !reasoning && (
          <p className="flex items-center gap-3 text-reading leading-reading text-ink2">
            <Flow />
            {message.search?.state === 'searching' && message.tools.includes(WEB_SEARCH)
              ? webSearchText.searching
              : PLACEHOLDER}
          </p>
        )
      ) : (
        <div className={isTyping ? 'md-typing' : undefined}>
          <Markdown
            text={text}
            streaming={isTyping}
            sources={message.search?.sources}
            hidesCitations={message.search?.state === 'found' && !message.search.sources.length}
          />
        </div>
      )}
      {message.search && <Sources search={message.search} text={text} tools={message.tools} />}
      {children}
    </article>
  )
}
