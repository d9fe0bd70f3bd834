import { useState } from 'react'
import { type Conversation, getLiveText } from '#web/conversations/conversations.ts'
import { createReadMarker, type ReadMarker } from './unread.ts'

/** Keeps the marker of the moment the person left the end; null at the end. */
export function useUnread({ messages }: Conversation) {
  const [readMarker, setReadMarker] = useState<ReadMarker | null>(null)
  const createMarker = () => {
    const last = messages.at(-1)
    return createReadMarker(messages, (last && getLiveText(last.id)) ?? last?.text ?? '')
  }
  return {
    readMarker,
    update: (isAtEnd: boolean) => setReadMarker(isAtEnd ? null : (before) => before ?? createMarker()),
    /** Messages appended to an earlier part are not new. */
    skip: () => setReadMarker((before) => before && createMarker()),
  }
}
