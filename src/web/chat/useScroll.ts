import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { VListHandle } from 'virtua'
import { usePageUrl } from '../core/page.ts'
import { atMostEvery } from './atMostEvery.ts'
import type { Conversation } from './conversation.ts'
import { useHand } from './hand.ts'
import { liveText } from './live.ts'
import { seenOf, type Seen } from './news.ts'
import { keepPlace, keptPlace, type Place } from './places.ts'
import { loadNewer, loadOlder, toNewest } from './scrolling.ts'
import { useEndKey } from './useEndKey.ts'

/** How near the end counts as being at it, and how near to the first or last message asks for more. */
const AT_END_PX = 48
const NEAR_PX = 600
/**
 * So long messages are left to find their sizes after the list was moved or older ones were put in front of it: what is
 * put in before that would lose its place.
 */
const SETTLE_MS = 250
/** Places are saved at most this often (specification section 9). */
const SAVE_MS = 100
/** A kept place further back than this many pages is given up. */
const MOST_PAGES = 10

/** What the list is held at while its messages find their sizes; null: the person is reading where they are. */
type Aim = 'end' | 'target' | Place | null

type Options = {
  /** Around the list. */
  frame: RefObject<HTMLElement | null>
  list: RefObject<VListHandle | null>
  id: string
  conversation: Conversation
}

/**
 * How a conversation scrolls: it follows its end while the person is there, stays still while they are not, goes to the
 * message in the address, and comes back to where it was left. `seen` is null at the end.
 */
export function useScroll({ frame, list, id, conversation }: Options) {
  const { turns, has_more, has_newer, loading, stay, target, sending } = conversation
  const led = usePageUrl().searchParams.has('message')
  const [kept] = useState(() => (led ? null : keptPlace(id)))
  const aim = useRef<Aim>(kept ?? (has_newer ? null : 'end'))
  const lastOffset = useRef(0)
  const pages = useRef(0)
  // The first or last message beside which more was asked for last.
  const tried = useRef<string>(undefined)
  const partly = useRef(has_newer)
  // A message that an earlier address led to is not gone to again.
  const gone = useRef(led ? null : target)
  const settled = useRef(false)
  const [settlings, setSettlings] = useState(0)
  const [seen, setSeen] = useState<Seen | null>(null)
  const save = useRef(atMostEvery(SAVE_MS, keepPlace))
  const asked = turns.findLast((turn) => turn.role === 'human')

  const left = () => {
    const now = list.current
    return now ? now.scrollSize - now.viewportSize - now.scrollOffset : 0
  }
  const seenNow = () => {
    const last = turns.at(-1)
    return seenOf(turns, (last && liveText(last.id)) ?? last?.text ?? '')
  }
  const see = () => {
    if (aim.current === 'end' || (left() < AT_END_PX && !has_newer)) setSeen(null)
    else setSeen((before) => before ?? seenNow())
  }
  const follow = () => {
    aim.current = 'end'
    setSeen(null)
    list.current?.scrollToIndex(turns.length - 1, { align: 'end' })
  }
  const toLatest = () => {
    if (!has_newer) return follow()
    save.current(id, null)
    void toNewest(id)
  }
  const release = () => {
    aim.current = null
  }
  /** Goes to a kept place as soon as its message is there, reading older pages until it is. */
  const comeBack = ({ id: message, below }: Place) => {
    const index = turns.findIndex((turn) => turn.id === message)
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: below })
    else if (!has_more || pages.current >= MOST_PAGES) follow()
    else if (!loading) {
      pages.current += 1
      void loadOlder(id)
    }
  }
  const reach = () => {
    const now = list.current
    if (aim.current === 'end') now?.scrollTo(now.scrollSize)
    else if (aim.current === 'target') {
      const index = turns.findIndex((turn) => turn.id === target)
      if (index >= 0) now?.scrollToIndex(index, { align: 'center' })
    } else if (aim.current) comeBack(aim.current)
  }
  const savePlace = (offset: number) => {
    const now = list.current
    if (!now || (aim.current && aim.current !== 'end')) return
    const index = now.findItemIndex(offset)
    const turn = turns[index]
    if (!turn || turn.local) return
    const below = Math.round(offset - now.getItemOffset(index))
    save.current(id, aim.current === 'end' ? null : { id: turn.id, below })
  }
  const moreIfNear = (scrolled: boolean) => {
    const now = list.current
    if (!now || loading || !settled.current) return
    const older = has_more && now.scrollOffset < NEAR_PX
    if (!older && !(has_newer && left() < NEAR_PX)) return
    const edge = (older ? turns[0] : turns.at(-1))?.key
    // A page that could not be read is asked for again by whoever scrolls on, not at once and without end.
    if (!scrolled && tried.current === edge) return
    tried.current = edge
    void (older ? loadOlder(id) : loadNewer(id))
  }

  // Another version is looked at where its switch is, not at its end.
  useLayoutEffect(() => {
    if (stay) release()
  }, [stay, turns])
  // A message that a search led to is looked at once; else a question that was just asked here, wherever the person had
  // been. One that came from elsewhere, or turns that are put behind a part further up, move nobody.
  useLayoutEffect(() => {
    const found = target !== null && target !== gone.current
    const appended = partly.current && !sending
    gone.current = target
    if (found) {
      aim.current = 'target'
      setSeen(null)
      reach()
    } else if (!appended && !stay && (asked?.local || sending || aim.current === 'end')) follow()
  }, [asked?.key, target])
  // What is read behind a part further up is not new.
  useLayoutEffect(() => {
    if (partly.current) setSeen((before) => before && seenNow())
    partly.current = has_newer
  }, [turns])
  useLayoutEffect(() => {
    if (aim.current && typeof aim.current === 'object') reach()
  })
  useLayoutEffect(() => {
    settled.current = false
    const timer = setInterval(() => {
      // A tab in the background is given no room for a while: what was put in front of a list that shows nothing yet
      // would leave it empty.
      if (!list.current?.viewportSize) return
      clearInterval(timer)
      settled.current = true
      setSettlings((count) => count + 1)
    }, SETTLE_MS)
    return () => clearInterval(timer)
  }, [asked?.key, target, turns[0]?.key])
  useEffect(() => {
    if (!settled.current) return
    reach()
    const at = aim.current
    // Whoever was led to a message by a search reads on from there.
    if (at === 'target')
      frame.current?.querySelector<HTMLElement>('[data-found]')?.focus({ preventScroll: true })
    if (at === 'target' || (at && at !== 'end' && turns.some((turn) => turn.id === at.id)))
      aim.current = left() < AT_END_PX && !has_newer ? 'end' : null
  }, [settlings])
  // A page that does not fill the screen cannot be scrolled: more comes at once.
  useEffect(() => moreIfNear(false))
  useEffect(() => {
    const flush = () => save.current.flush()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  useEndKey(toLatest)

  // Everything that changes the room: an answer that grows, pictures, the window, what stands beside the list.
  const onRoom = useRef(() => {})
  useLayoutEffect(() => {
    onRoom.current = () => (aim.current ? reach() : see())
  })
  useEffect(() => {
    const region = frame.current?.firstElementChild
    const observer = new ResizeObserver(() => onRoom.current())
    for (const element of [region, region?.firstElementChild]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const { heading, handlers } = useHand({
    release,
    held: () => aim.current !== null && aim.current !== 'end',
  })
  return {
    seen,
    toLatest,
    handlers: {
      ...handlers,
      onScroll: (offset: number) => {
        const nearing = heading.current === 'down' && offset > lastOffset.current
        if (nearing && !aim.current && !has_newer && left() < AT_END_PX) aim.current = 'end'
        lastOffset.current = offset
        // What had just been measured was not in the page yet: the end moved on behind this scroll.
        if (aim.current === 'end' && left() >= AT_END_PX) reach()
        see()
        savePlace(offset)
        // At the very top nothing scrolls any more: older messages that could not be read could not be asked for again.
        // (What is put in front pushes nothing away there either, the list sees to that.)
        if (offset <= 0 && has_more) list.current?.scrollTo(1)
        moreIfNear(true)
      },
    },
  }
}
