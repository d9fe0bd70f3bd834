import { findCitations } from '#contract/conversations/citations.ts'
import type { SharedMessage } from '#contract/shares.ts'
import { chatText } from '#web/text/chat.ts'
import { sharesText } from '#web/text/shares.ts'
import { Markdown } from '#web/markdown/markdown.tsx'
import { Sources } from '#web/conversations/web-search/web-search.ts'

type Props = {
  messages: SharedMessage[]
  /** Name of the person who asked. */
  name: string
}

/** Shows the messages of a share as they look in the chat. */
export function SharedMessages({ messages, name }: Props) {
  return messages.map((message) =>
    message.role === 'human' ? (
      <article key={message.nth} aria-label={name} className="flex justify-end py-3">
        <div className="max-w-[85%] rounded-[18px] bg-fill2 print:border px-4 py-2.5 text-reading leading-7 wrap-anywhere whitespace-pre-wrap">
          {message.text}
        </div>
      </article>
    ) : (
      <article key={message.nth} aria-label={chatText.answer} className="py-3">
        <SharedAnswer {...message} />
        <p className="mt-2 text-xs text-ink3">
          {message.agent?.name ?? sharesText.ai} · {message.chat_model}
        </p>
      </article>
    ),
  )
}

/**
 * A document belongs to its owner alone: neither its passages nor their numbers are shown here. An answer without other sources
 * says so.
 */
function SharedAnswer({ text, search }: SharedMessage) {
  const sources = search?.sources.filter(({ block }) => !block) ?? []
  const isFound = search?.state === 'found'
  return (
    <>
      <Markdown text={text} streaming={false} sources={sources} hidesCitations={isFound} />
      {isFound && !sources.length && findCitations(text).length > 0 && (
        <p className="mt-2 text-xs text-ink3">{sharesText.withoutDocuments}</p>
      )}
      {search && sources.length > 0 && <Sources search={{ ...search, sources }} text={text} tools={[]} />}
    </>
  )
}
