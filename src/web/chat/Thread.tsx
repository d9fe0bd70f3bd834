import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { chatText } from '../text/chat.ts'
import type { Conversation } from './conversation.ts'
import { MessageRow } from './MessageRow.tsx'
import { loadNewer, loadOlder, toNewest } from './scrolling.ts'
import { Spoken } from './Spoken.tsx'

/** How near the end counts as being at it, and how near to the first or last message asks for more. */
const AT_END_PX = 48
const NEAR_PX = 600
/**
 * So long messages are left to find their sizes after the list was moved or older ones were put in front of it: what is
 * put in before that would lose its place.
 */
const SETTLE_MS = 250

const upward = new Set(['ArrowUp', 'PageUp', 'Home'])

type Props = {
  id: string
  conversation: Conversation
  onRegenerate: () => void
}

/** The messages of one conversation. Only those near the screen are in the page. */
export default function Thread({ id, conversation, onRegenerate }: Props) {
  const { turns, has_more, has_newer, loading, shift, target, sending } = conversation
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<VListHandle>(null)
  const lastOffset = useRef(0)
  const following = useRef(true)
  const [away, setAway] = useState(false)
  const settled = useRef(false)
  const [settlings, setSettlings] = useState(0)
  const leading = useRef(false)
  const gone = useRef<string | null>(null)
  const partly = useRef(has_newer)
  const asked = turns.findLast((turn) => turn.role === 'human')?.key

  const toEnd = () => list.current?.scrollTo(list.current.scrollSize)
  const moreIfNear = () => {
    const now = list.current
    if (!now || loading || !settled.current) return
    if (has_more && now.scrollOffset < NEAR_PX) void loadOlder(id)
    else if (has_newer && now.scrollSize - now.viewportSize - now.scrollOffset < NEAR_PX) void loadNewer(id)
  }
  const onScroll = (offset: number) => {
    const now = list.current
    if (!now) return
    const left = now.scrollSize - now.viewportSize - offset
    if (left < AT_END_PX && offset > lastOffset.current && !has_newer) following.current = true
    lastOffset.current = offset
    setAway(!following.current && (left >= AT_END_PX || has_newer))
    moreIfNear()
  }
  // Growing text moves the end too, so that positions alone do not tell what the person wants: moving up by hand does.
  const release = () => {
    following.current = false
    leading.current = false
  }
  const toTarget = () => {
    const at = turns.findIndex((turn) => turn.id === target)
    if (at >= 0) list.current?.scrollToIndex(at, { align: 'center' })
  }
  const onResize = () => {
    if (following.current) toEnd()
    else if (leading.current) toTarget()
  }

  // A message that a search led to is looked at once; else a question that was just asked, wherever the person had
  // been. Turns that are put behind a part further up move nobody.
  useLayoutEffect(() => {
    const found = target !== null && target !== gone.current
    const appended = partly.current && !sending
    partly.current = has_newer
    gone.current = target
    if (!found && appended) return
    following.current = !found
    leading.current = found
    setAway(false)
    if (found) toTarget()
    else list.current?.scrollToIndex(turns.length - 1, { align: 'end' })
  }, [asked, target])
  useLayoutEffect(() => {
    settled.current = false
    const timer = setTimeout(() => {
      settled.current = true
      setSettlings((count) => count + 1)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [asked, target, turns[0]?.key])
  useEffect(() => {
    if (!settled.current) return
    onResize()
    // Whoever was led to a message by a search reads on from there.
    if (leading.current)
      box.current?.querySelector<HTMLElement>('[data-found]')?.focus({ preventScroll: true })
    leading.current = false
  }, [settlings])
  // A page that does not fill the screen cannot be scrolled: more comes at once.
  useEffect(moreIfNear)

  const toLatest = () => {
    if (has_newer) void toNewest(id)
    else list.current?.scrollToIndex(turns.length - 1, { align: 'end' })
  }

  return (
    <div ref={box} className="relative min-h-0 flex-1">
      <VList
        ref={list}
        data={turns}
        shift={shift}
        bufferSize={400}
        onScroll={onScroll}
        onResize={onResize}
        onWheel={({ deltaY }) => (deltaY < 0 || leading.current) && release()}
        onTouchMove={release}
        onKeyDown={({ key }) => upward.has(key) && release()}
        onPointerDown={({ target, currentTarget }) => target === currentTarget && release()}
        role="region"
        aria-label={chatText.messages}
        aria-busy={loading !== null}
        tabIndex={0}
        className="h-full overscroll-contain py-2 outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        {(turn, i) => (
          <MessageRow
            key={turn.key}
            turn={turn}
            last={i === turns.length - 1 && !has_newer}
            found={turn.id === target}
            onRegenerate={onRegenerate}
          />
        )}
      </VList>
      <Spoken turn={turns.at(-1)} />
      <button
        type="button"
        inert={!away}
        onClick={toLatest}
        className={clsx(
          'absolute bottom-3 left-1/2 flex h-9 -translate-x-1/2 items-center gap-1.5 rounded-full border border-line2 bg-raised px-3.5 text-[13px] shadow-soft transition-opacity max-md:h-11',
          away ? 'opacity-100' : 'pointer-events-none opacity-0',
        )}
      >
        <ArrowDown size={15} aria-hidden />
        {chatText.toLatest}
      </button>
    </div>
  )
}
