import { useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import { chatText } from '#web/text/chat.ts'
import type { MessageActions } from './message/messageActions.ts'
import { type Conversation, isTyping } from '#web/conversations/conversations.ts'
import { MessageRow } from './message/MessageRow.tsx'
import { PrintedMessages } from './print/PrintedMessages.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { LiveAnnouncer } from './LiveAnnouncer.tsx'
import { JumpToLatest } from './scroll/JumpToLatest.tsx'
import { useScroll } from './scroll/useScroll.ts'

export { ThreadError } from './ThreadError.tsx'

/**
 * Height of a message before it is measured, in pixels. By default the list starts with 40 px and guesses again from its first
 * measurements: a long conversation would render three times the messages that the screen needs, then others far above, because
 * its end has moved, and only then its end.
 */
const ESTIMATED_ITEM_PX = 200

type Props = {
  /** The session, or the draft before it. */
  id: string
  conversation: Conversation
  actions: MessageActions
}

/** Shows the messages of one conversation. Only those near the screen are in the page; in print, all of them. */
export default function MessageList({ id, conversation, actions }: Props) {
  const { messages, has_newer, loading, prepended, targetMessageId, sending } = conversation
  const container = useRef<HTMLDivElement>(null)
  const list = useRef<VListHandle>(null)
  const { readMarker, jumpToLatest, handlers } = useScroll({ container, list, id, conversation })
  const newest = messages.at(-1)
  const busy = sending || isTyping(messages)
  return (
    <div ref={container} className="relative min-h-0 flex-1">
      {/* Virtua takes the pointer from its items until 150 ms after the last scroll, and with it every click that comes
          by then: `*:pointer-events-auto!` gives it back. */}
      <VList
        ref={list}
        data={messages}
        shift={prepended}
        bufferSize={400}
        itemSize={ESTIMATED_ITEM_PX}
        {...handlers}
        role="region"
        aria-label={chatText.messages}
        aria-busy={loading !== null}
        tabIndex={0}
        className="h-full overscroll-contain *:pointer-events-auto! py-2 outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        {(message, i) => (
          <MessageRow
            key={message.key}
            message={message}
            isLast={i === messages.length - 1 && !has_newer}
            isTarget={message.id === targetMessageId}
            busy={busy}
            actions={actions}
          />
        )}
      </VList>
      {newest && <LiveAnnouncer message={newest} />}
      <PrintedMessages id={id} />
      <SelectionBar busy={busy} actions={actions} />
      {newest && (
        <JumpToLatest messages={messages} last={newest} readMarker={readMarker} onClick={jumpToLatest} />
      )}
    </div>
  )
}
