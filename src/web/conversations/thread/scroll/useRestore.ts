import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { type Conversation, loadOlderMessages } from '#web/conversations/conversations.ts'
import { isPosition, type ScrollAnchor } from './scrollAnchor.ts'
import { getRestoreStep, saveScrollPosition, throttle, type ScrollPosition } from './scrollPosition.ts'

/** Positions are saved at most this often (specification section 9). */
const SAVE_INTERVAL_MS = 100

type Options = {
  id: string
  conversation: Conversation
  list: RefObject<VListHandle | null>
  anchor: RefObject<ScrollAnchor>
  onGiveUp: () => void
}

/** Scrolls to a saved position as soon as its message is loaded, and loads older pages until it is. */
export function useRestore({ id, conversation, list, anchor, onGiveUp }: Options) {
  const { messages, has_more, loading } = conversation
  const pagesRead = useRef(0)
  const restore = (position: ScrollPosition) => {
    const step = getRestoreStep(position, {
      messages,
      has_more,
      isLoading: loading !== null,
      pagesRead: pagesRead.current,
    })
    if (step.type === 'scroll')
      list.current?.scrollToIndex(step.index, { align: 'start', offset: position.below })
    else if (step.type === 'giveUp') onGiveUp()
    else if (step.type === 'loadOlder') {
      pagesRead.current += 1
      void loadOlderMessages(id)
    }
  }
  // After every change, since new pages may contain the message.
  useLayoutEffect(() => {
    if (isPosition(anchor.current)) restore(anchor.current)
  })
  return restore
}

/** Saves the position; null is the end. The last position is saved even when the page is left at once. */
export function useSavePosition(id: string): (position: ScrollPosition | null) => void {
  const [save] = useState(() => throttle(SAVE_INTERVAL_MS, saveScrollPosition))
  useEffect(() => {
    addEventListener('pagehide', save.flush)
    return () => {
      removeEventListener('pagehide', save.flush)
      save.flush()
    }
  }, [save])
  return (position) => save(id, position)
}
