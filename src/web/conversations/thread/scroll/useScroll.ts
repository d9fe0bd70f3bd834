import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { usePageUrl } from '#web/core/page.ts'
import { type Conversation, jumpToNewest } from '#web/conversations/conversations.ts'
import {
  getReachedAnchor,
  getScrolledAnchor,
  isPosition,
  type ScrollAnchor,
  showsEnd,
} from './scrollAnchor.ts'
import { loadScrollPosition } from './scrollPosition.ts'
import { useEndKey } from './useEndKey.ts'
import { useFollow } from './useFollow.ts'
import { useMeasured } from './useMeasured.ts'
import { usePaging } from './usePaging.ts'
import { usePress } from './usePress.ts'
import { useRestore, useSavePosition } from './useRestore.ts'
import { useScrollIntent } from './useScrollIntent.ts'
import { useUnread } from './useUnread.ts'

type Options = {
  /** The element around the list. */
  container: RefObject<HTMLElement | null>
  list: RefObject<VListHandle | null>
  id: string
  conversation: Conversation
}

/**
 * Scrolls a conversation: it follows its end while the person is there, stays still otherwise, goes to the message in the
 * address, and returns to the saved position. `readMarker` is null at the end.
 */
export function useScroll({ container, list, id, conversation }: Options) {
  const { messages, has_more, has_newer, targetMessageId } = conversation
  const isLinked = usePageUrl().searchParams.has('message')
  const [savedPosition] = useState(() => (isLinked ? null : loadScrollPosition(id)))
  const anchorRef = useRef<ScrollAnchor>(savedPosition ?? (has_newer ? null : 'end'))
  const lastOffset = useRef(0)
  const isPressed = useRef(false)
  const unread = useUnread(conversation)
  const savePosition = useSavePosition(id)

  const isEndShown = () => !list.current || showsEnd(list.current)
  const isAtEnd = () => isEndShown() && !has_newer
  const updateUnread = () => unread.update(anchorRef.current === 'end' || isAtEnd())
  const followEnd = () => {
    anchorRef.current = 'end'
    unread.update(true)
    list.current?.scrollToIndex(messages.length - 1, { align: 'end' })
  }
  const scrollToTarget = () => {
    const index = messages.findIndex((message) => message.id === targetMessageId)
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'center' })
  }
  const goTo = (destination: 'target' | 'end') => {
    if (destination === 'end') return followEnd()
    anchorRef.current = 'target'
    unread.update(true)
    scrollToTarget()
  }
  const jumpToLatest = () => {
    if (!has_newer) return followEnd()
    savePosition(null)
    void jumpToNewest(id)
  }

  useFollow({ conversation, isLinked, anchorRef, goTo, onAppended: unread.skip })
  const restore = useRestore({ id, conversation, list, anchor: anchorRef, onGiveUp: followEnd })
  const scrollToAnchor = () => {
    if (isPressed.current) return
    if (anchorRef.current === 'end') list.current?.scrollTo(list.current.scrollSize)
    else if (anchorRef.current === 'target') scrollToTarget()
    else if (isPosition(anchorRef.current)) restore(anchorRef.current)
  }
  // Virtua repeats its last scroll at every resize until none has come for 150 ms, which means on and on while an answer grows.
  // Only another scroll ends that.
  const endPendingScroll = () => {
    const region = container.current?.firstElementChild
    if (region) list.current?.scrollTo(region.scrollTop)
  }
  usePress({
    container,
    isPressed,
    onStart: endPendingScroll,
    onEnd: () => anchorRef.current && scrollToAnchor(),
  })
  const lastQuestion = messages.findLast((message) => message.role === 'human')
  const isMeasured = useMeasured(list, [lastQuestion?.key, targetMessageId, messages[0]?.key], () => {
    scrollToAnchor()
    // After a search the keyboard continues from the message found.
    if (anchorRef.current === 'target')
      container.current?.querySelector<HTMLElement>('[data-target]')?.focus({ preventScroll: true })
    anchorRef.current = getReachedAnchor(anchorRef.current, messages, isAtEnd())
  })
  const loadMoreNearEdge = usePaging({ id, conversation, list, isMeasured })
  useEndKey(jumpToLatest)
  useListResize(container, () => (anchorRef.current ? scrollToAnchor() : updateUnread()))
  const { direction, handlers } = useScrollIntent({
    release: () => {
      anchorRef.current = null
    },
    isHeld: () => anchorRef.current !== null && anchorRef.current !== 'end',
  })

  const saveCurrentPosition = (offset: number) => {
    const handle = list.current
    if (!handle || (anchorRef.current && anchorRef.current !== 'end')) return
    const index = handle.findItemIndex(offset)
    const message = messages[index]
    if (!message || message.local) return
    const below = Math.round(offset - handle.getItemOffset(index))
    savePosition(anchorRef.current === 'end' ? null : { id: message.id, below })
  }
  return {
    readMarker: unread.readMarker,
    jumpToLatest,
    handlers: {
      ...handlers,
      onScroll: (offset: number) => {
        const isMovingDown = direction.current === 'down' && offset > lastOffset.current
        anchorRef.current = getScrolledAnchor(anchorRef.current, isMovingDown, isAtEnd())
        lastOffset.current = offset
        // The messages just measured were not in the page yet, so the end moved away behind this scroll.
        if (anchorRef.current === 'end' && !isEndShown()) scrollToAnchor()
        updateUnread()
        saveCurrentPosition(offset)
        // At the very top no scroll event occurs, so older messages that failed to load could not be requested again. (The list
        // itself keeps the position when messages are prepended.)
        if (offset <= 0 && has_more) list.current?.scrollTo(1)
        loadMoreNearEdge()
      },
    },
  }
}

/**
 * Observes all resizing: a growing answer, pictures, the window, elements beside the list. The list sets the height of its
 * content while sizes are being observed, so a resize observer of that content would be notified a frame late.
 */
function useListResize(container: RefObject<HTMLElement | null>, onResize: () => void): void {
  const handleResize = useEffectEvent(onResize)
  useEffect(() => {
    const region = container.current?.firstElementChild
    const content = region?.firstElementChild
    if (!(content instanceof HTMLElement)) return
    let height = content.style.height
    const styles = new MutationObserver(() => {
      if (content.style.height === height) return
      height = content.style.height
      handleResize()
    })
    styles.observe(content, { attributeFilter: ['style'] })
    const sizes = new ResizeObserver(() => handleResize())
    sizes.observe(region as Element)
    return () => {
      styles.disconnect()
      sizes.disconnect()
    }
  }, [container])
}
