import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VListHandle } from 'virtua'
import { usePageUrl } from '#web/core/page.ts'
import { throttle } from './throttle.ts'
import {
  type Conversation,
  getLiveText,
  loadNewerMessages,
  loadOlderMessages,
  jumpToNewest,
} from '#web/conversations/conversations.ts'
import { useScrollIntent } from './useScrollIntent.ts'
import { createReadMarker, type ReadMarker } from './unread.ts'
import { saveScrollPosition, loadScrollPosition, type ScrollPosition } from './scrollPosition.ts'
import { useEndKey } from './useEndKey.ts'

/** How near the end counts as being at it, and how near to the first or last message asks for more. */
const END_THRESHOLD_PX = 48
const LOAD_THRESHOLD_PX = 600
/**
 * So long messages are left to find their sizes after the list was moved or older ones were put in front of it: what is
 * put in before that would lose its place.
 */
const MEASURE_MS = 250
/** Places are saved at most this often (specification section 9). */
const SAVE_INTERVAL_MS = 100
/** A kept place further back than this many pages is given up. */
const MAX_RESTORE_PAGES = 10

/** What the list is held at while its messages find their sizes; null: the person is reading where they are. */
type ScrollAnchor = 'end' | 'target' | ScrollPosition | null

type Options = {
  /** Around the list. */
  container: RefObject<HTMLElement | null>
  list: RefObject<VListHandle | null>
  id: string
  conversation: Conversation
}

/**
 * How a conversation scrolls: it follows its end while the person is there, stays still while they are not, goes to the
 * message in the address, and comes back to where it was left. `seen` is null at the end.
 */
export function useScroll({ container, list, id, conversation }: Options) {
  const { messages, has_more, has_newer, loading, stay, targetMessageId, sending } = conversation
  const isLinked = usePageUrl().searchParams.has('message')
  const [savedPosition] = useState(() => (isLinked ? null : loadScrollPosition(id)))
  const anchor = useRef<ScrollAnchor>(savedPosition ?? (has_newer ? null : 'end'))
  const lastOffset = useRef(0)
  const restorePages = useRef(0)
  // The first or last message beside which more was asked for last.
  const lastRequestedEdge = useRef<string>(undefined)
  const wasPartial = useRef(has_newer)
  // A message that an earlier address led to is not gone to again.
  const visitedTarget = useRef(isLinked ? null : targetMessageId)
  const isMeasured = useRef(false)
  const [measureCount, setMeasureCount] = useState(0)
  const [readMarker, setReadMarker] = useState<ReadMarker | null>(null)
  const savePositionThrottled = useRef(throttle(SAVE_INTERVAL_MS, saveScrollPosition))
  const lastQuestion = messages.findLast((message) => message.role === 'human')

  const getDistanceToEnd = () => {
    const handle = list.current
    return handle ? handle.scrollSize - handle.viewportSize - handle.scrollOffset : 0
  }
  const createCurrentMarker = () => {
    const last = messages.at(-1)
    return createReadMarker(messages, (last && getLiveText(last.id)) ?? last?.text ?? '')
  }
  const updateReadMarker = () => {
    if (anchor.current === 'end' || (getDistanceToEnd() < END_THRESHOLD_PX && !has_newer)) setReadMarker(null)
    else setReadMarker((before) => before ?? createCurrentMarker())
  }
  const followEnd = () => {
    anchor.current = 'end'
    setReadMarker(null)
    list.current?.scrollToIndex(messages.length - 1, { align: 'end' })
  }
  const jumpToLatest = () => {
    if (!has_newer) return followEnd()
    savePositionThrottled.current(id, null)
    void jumpToNewest(id)
  }
  const release = () => {
    anchor.current = null
  }
  /** Goes to a kept place as soon as its message is there, reading older pages until it is. */
  const restorePosition = ({ id: messageId, below }: ScrollPosition) => {
    const index = messages.findIndex((message) => message.id === messageId)
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: below })
    else if (!has_more || restorePages.current >= MAX_RESTORE_PAGES) followEnd()
    else if (!loading) {
      restorePages.current += 1
      void loadOlderMessages(id)
    }
  }
  const scrollToAnchor = () => {
    const handle = list.current
    if (anchor.current === 'end') handle?.scrollTo(handle.scrollSize)
    else if (anchor.current === 'target') {
      const index = messages.findIndex((message) => message.id === targetMessageId)
      if (index >= 0) handle?.scrollToIndex(index, { align: 'center' })
    } else if (anchor.current) restorePosition(anchor.current)
  }
  const savePosition = (offset: number) => {
    const handle = list.current
    if (!handle || (anchor.current && anchor.current !== 'end')) return
    const index = handle.findItemIndex(offset)
    const message = messages[index]
    if (!message || message.local) return
    const below = Math.round(offset - handle.getItemOffset(index))
    savePositionThrottled.current(id, anchor.current === 'end' ? null : { id: message.id, below })
  }
  const loadMoreNearEdge = (byUser: boolean) => {
    const handle = list.current
    if (!handle || loading || !isMeasured.current) return
    const needsOlder = has_more && handle.scrollOffset < LOAD_THRESHOLD_PX
    if (!needsOlder && !(has_newer && getDistanceToEnd() < LOAD_THRESHOLD_PX)) return
    const edge = (needsOlder ? messages[0] : messages.at(-1))?.key
    // A page that could not be read is asked for again by whoever scrolls on, not at once and without end.
    if (!byUser && lastRequestedEdge.current === edge) return
    lastRequestedEdge.current = edge
    void (needsOlder ? loadOlderMessages(id) : loadNewerMessages(id))
  }

  // Another version is looked at where its switch is, not at its end.
  useLayoutEffect(() => {
    if (stay) release()
  }, [stay, messages])
  // A message that a search led to is looked at once; else a question that was just asked here, wherever the person had
  // been. One that came from elsewhere, or turns that are put behind a part further up, move nobody.
  useLayoutEffect(() => {
    const hasNewTarget = targetMessageId !== null && targetMessageId !== visitedTarget.current
    const isAppended = wasPartial.current && !sending
    visitedTarget.current = targetMessageId
    if (hasNewTarget) {
      anchor.current = 'target'
      setReadMarker(null)
      scrollToAnchor()
    } else if (!isAppended && !stay && (lastQuestion?.local || sending || anchor.current === 'end'))
      followEnd()
  }, [lastQuestion?.key, targetMessageId])
  // What is read behind a part further up is not new.
  useLayoutEffect(() => {
    if (wasPartial.current) setReadMarker((before) => before && createCurrentMarker())
    wasPartial.current = has_newer
  }, [messages])
  useLayoutEffect(() => {
    if (anchor.current && typeof anchor.current === 'object') scrollToAnchor()
  })
  useLayoutEffect(() => {
    isMeasured.current = false
    const timer = setInterval(() => {
      // A tab in the background is given no room for a while: what was put in front of a list that shows nothing yet
      // would leave it empty.
      if (!list.current?.viewportSize) return
      clearInterval(timer)
      isMeasured.current = true
      setMeasureCount((count) => count + 1)
    }, MEASURE_MS)
    return () => clearInterval(timer)
  }, [lastQuestion?.key, targetMessageId, messages[0]?.key])
  useEffect(() => {
    if (!isMeasured.current) return
    scrollToAnchor()
    const reached = anchor.current
    // Whoever was led to a message by a search reads on from there.
    if (reached === 'target')
      container.current?.querySelector<HTMLElement>('[data-found]')?.focus({ preventScroll: true })
    if (
      reached === 'target' ||
      (reached && reached !== 'end' && messages.some((message) => message.id === reached.id))
    )
      anchor.current = getDistanceToEnd() < END_THRESHOLD_PX && !has_newer ? 'end' : null
  }, [measureCount])
  // A page that does not fill the screen cannot be scrolled: more comes at once.
  useEffect(() => loadMoreNearEdge(false))
  useEffect(() => {
    const flush = () => savePositionThrottled.current.flush()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  useEndKey(jumpToLatest)

  // Everything that changes the room: an answer that grows, pictures, the window, what stands beside the list.
  const onResize = useRef(() => {})
  useLayoutEffect(() => {
    onResize.current = () => (anchor.current ? scrollToAnchor() : updateReadMarker())
  })
  useEffect(() => {
    const region = container.current?.firstElementChild
    const observer = new ResizeObserver(() => onResize.current())
    for (const element of [region, region?.firstElementChild]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const { heading: direction, handlers } = useScrollIntent({
    release,
    isHeld: () => anchor.current !== null && anchor.current !== 'end',
  })
  return {
    seen: readMarker,
    toLatest: jumpToLatest,
    handlers: {
      ...handlers,
      onScroll: (offset: number) => {
        const isNearingEnd = direction.current === 'down' && offset > lastOffset.current
        if (isNearingEnd && !anchor.current && !has_newer && getDistanceToEnd() < END_THRESHOLD_PX)
          anchor.current = 'end'
        lastOffset.current = offset
        // What had just been measured was not in the page yet: the end moved on behind this scroll.
        if (anchor.current === 'end' && getDistanceToEnd() >= END_THRESHOLD_PX) scrollToAnchor()
        updateReadMarker()
        savePosition(offset)
        // At the very top nothing scrolls any more: older messages that could not be read could not be asked for again.
        // (What is put in front pushes nothing away there either, the list sees to that.)
        if (offset <= 0 && has_more) list.current?.scrollTo(1)
        loadMoreNearEdge(true)
      },
    },
  }
}
