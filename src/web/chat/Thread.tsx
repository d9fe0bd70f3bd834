import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { chatText } from '../text/chat.ts'
import type { TurnActions } from './actions.ts'
import type { Conversation } from './conversation.ts'
import { MessageRow } from './MessageRow.tsx'
import { loadNewer, loadOlder, toNewest } from './scrolling.ts'
import { Spoken } from './Spoken.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { isTyping } from './turns.ts'

/** How near the end counts as being at it, and how near to the first or last message asks for more. */
const AT_END_PX = 48
const NEAR_PX = 600
/**
 * So long messages are left to find their sizes after the list was moved or older ones were put in front of it: what is
 * put in before that would lose its place.
 */
const SETTLE_MS = 250

const upward = new Set(['ArrowUp', 'PageUp', 'Home'])

const opens = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[aria-expanded]:not([aria-haspopup])') !== null

type Props = {
  id: string
  conversation: Conversation
  actions: TurnActions
}

/** The messages of one conversation. Only those near the screen are in the page. */
export default function Thread({ id, conversation, actions }: Props) {
  const { turns, has_more, has_newer, loading, shift, stay, target, sending } = conversation
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
  const newest = turns.at(-1)
  const busy = sending || isTyping(turns)
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
    // What had just been measured was not in the page yet: the end moved on behind this scroll.
    if (following.current && left >= AT_END_PX) toEnd()
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
  const follow = () => {
    if (following.current) toEnd()
    else if (leading.current) toTarget()
  }
  // What has just been measured gets its place in the page with the next frame: until then the end is where it was.
  const onResize = () => {
    follow()
    requestAnimationFrame(() => requestAnimationFrame(follow))
  }

  // Another version is looked at where its switch is, not at its end.
  useLayoutEffect(() => {
    if (stay) release()
  }, [stay, turns])
  // A message that a search led to is looked at once; else a question that was just asked, wherever the person had
  // been. Turns that are put behind a part further up move nobody.
  useLayoutEffect(() => {
    const found = target !== null && target !== gone.current
    const appended = partly.current && !sending
    partly.current = has_newer
    gone.current = target
    if (!found && (appended || stay)) return
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
        // What is opened in the middle is looked at, not the end that it moves.
        onFocus={({ target }) => target instanceof HTMLTextAreaElement && release()}
        onClick={({ target }) => opens(target) && release()}
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
            busy={busy}
            actions={actions}
          />
        )}
      </VList>
      {newest && <Spoken turn={newest} />}
      <SelectionBar busy={busy} actions={actions} />
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
