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

/**
 * How high a message counts before it is measured. By itself the list begins with 40 px and guesses anew from what it
 * measures first: a long conversation would open with three times the messages that the screen needs, then show others
 * from far above, as its end has moved on, and only then its end.
 */
const GUESSED_PX = 200

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
        itemSize={GUESSED_PX}
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
