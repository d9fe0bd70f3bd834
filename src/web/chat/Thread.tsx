import { useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import { chatText } from '../text/chat.ts'
import type { TurnActions } from './actions.ts'
import type { Conversation } from './conversation.ts'
import { MessageRow } from './MessageRow.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { Spoken } from './Spoken.tsx'
import { ToEnd } from './ToEnd.tsx'
import { isTyping } from './turns.ts'
import { useScroll } from './useScroll.ts'

type Props = {
  /** The session, or the draft before it. */
  id: string
  conversation: Conversation
  actions: TurnActions
}

/** The messages of one conversation. Only those near the screen are in the page. */
export default function Thread({ id, conversation, actions }: Props) {
  const { turns, has_newer, loading, shift, target, sending } = conversation
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<VListHandle>(null)
  const { seen, toLatest, handlers } = useScroll({ frame, list, id, conversation })
  const newest = turns.at(-1)
  const busy = sending || isTyping(turns)
  return (
    <div ref={frame} className="relative min-h-0 flex-1">
      <VList
        ref={list}
        data={turns}
        shift={shift}
        bufferSize={400}
        {...handlers}
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
      {newest && <ToEnd turns={turns} last={newest} seen={seen} onClick={toLatest} />}
    </div>
  )
}
