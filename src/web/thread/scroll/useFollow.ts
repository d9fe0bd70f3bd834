import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Conversation } from '#web/conversations/conversations.ts'
import { getDestination, type ScrollAnchor } from './scrollAnchor.ts'

type Options = {
  conversation: Conversation
  /** The address names a message. */
  isLinked: boolean
  anchorRef: RefObject<ScrollAnchor>
  goTo: (destination: 'target' | 'end') => void
  /** Messages came behind a part further up. */
  onAppended: () => void
}

/** Goes to what is asked here, to what the address names, and stays where another version is looked at. */
export function useFollow({ conversation, isLinked, anchorRef, goTo, onAppended }: Options): void {
  const { messages, has_newer, stay, targetMessageId, sending } = conversation
  const lastQuestion = messages.findLast((message) => message.role === 'human')
  const wasPartial = useRef(has_newer)
  // A message that an earlier address led to is not gone to again.
  const visitedTarget = useRef(isLinked ? null : targetMessageId)

  // Another version is looked at where its switch is, not at its end.
  useLayoutEffect(() => {
    if (stay) anchorRef.current = null
  }, [anchorRef, stay, messages])

  const follow = useEffectEvent(() => {
    const destination = getDestination(anchorRef.current, {
      hasNewTarget: targetMessageId !== null && targetMessageId !== visitedTarget.current,
      isAppended: wasPartial.current && !sending,
      isVersionSwitch: stay,
      isAskedHere: Boolean(lastQuestion?.local) || sending,
    })
    visitedTarget.current = targetMessageId
    if (destination) goTo(destination)
  })
  useLayoutEffect(() => follow(), [lastQuestion?.key, targetMessageId])

  const updatePartial = useEffectEvent(() => {
    if (wasPartial.current) onAppended()
    wasPartial.current = has_newer
  })
  useLayoutEffect(() => updatePartial(), [messages])
}
