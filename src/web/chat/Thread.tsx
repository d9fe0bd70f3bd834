import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { chatText } from '../text/chat.ts'
import type { Conversation } from './conversation.ts'
import { MessageRow } from './MessageRow.tsx'
import { Spoken } from './Spoken.tsx'

/** How near the end counts as being at it, and how near the start asks for older messages. */
const AT_END_PX = 48
const NEAR_START_PX = 600

const upward = new Set(['ArrowUp', 'PageUp', 'Home'])

type Props = {
  conversation: Conversation
  onOlder: () => void
  onRegenerate: () => void
}

/** The messages of one conversation. Only those near the screen are in the page. */
export default function Thread({
  conversation: { turns, has_more, loading, shift },
  onOlder,
  onRegenerate,
}: Props) {
  const list = useRef<VListHandle>(null)
  const lastOffset = useRef(0)
  const following = useRef(true)
  const [away, setAway] = useState(false)
  const asked = turns.findLast((turn) => turn.role === 'human')?.key

  const toEnd = () => list.current?.scrollTo(list.current.scrollSize)
  const olderIfNear = () => {
    const now = list.current
    if (now && has_more && !loading && now.scrollOffset < NEAR_START_PX) onOlder()
  }
  const onScroll = (offset: number) => {
    const now = list.current
    if (!now) return
    const left = now.scrollSize - now.viewportSize - offset
    if (left < AT_END_PX && offset > lastOffset.current) following.current = true
    lastOffset.current = offset
    setAway(!following.current && left >= AT_END_PX)
    olderIfNear()
  }
  // Growing text moves the end too, so that positions alone do not tell what the person wants: moving up by hand does.
  const release = () => {
    following.current = false
  }
  const onResize = () => {
    if (following.current) toEnd()
  }

  // A question that was just asked is looked at, wherever the person had been.
  useLayoutEffect(() => {
    following.current = true
    setAway(false)
    list.current?.scrollToIndex(turns.length - 1, { align: 'end' })
  }, [asked])
  // A first page that does not fill the screen cannot be scrolled: more comes at once.
  useEffect(olderIfNear)

  return (
    <div className="relative min-h-0 flex-1">
      <VList
        ref={list}
        data={turns}
        shift={shift}
        bufferSize={400}
        onScroll={onScroll}
        onResize={onResize}
        onWheel={({ deltaY }) => deltaY < 0 && release()}
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
          <MessageRow key={turn.key} turn={turn} last={i === turns.length - 1} onRegenerate={onRegenerate} />
        )}
      </VList>
      <Spoken turn={turns.at(-1)} />
      <button
        type="button"
        inert={!away}
        onClick={() => list.current?.scrollToIndex(turns.length - 1, { align: 'end' })}
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
