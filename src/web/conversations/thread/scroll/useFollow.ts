import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Conversation } from '#web/conversations/conversations.ts'
import { getDestination, type ScrollAnchor } from './scrollAnchor.ts'

type Options = {
  conversation: Conversation
  /** The address names a message. */
  isLinked: boolean
  anchorRef: RefObject<ScrollAnchor>
  goTo: (destination: 'target' | 'end') => void
  /** Messages were appended to an earlier part of the conversation. */
  onAppended: () => void
}

/** Scrolls to new questions and to the message in the address, and stays in place when another version is chosen. */
export function useFollow({ conversation, isLinked, anchorRef, goTo, onAppended }: Options): void {
  const { messages, has_newer, stay, targetMessageId, sending } = conversation
  const lastQuestion = messages.findLast((message) => message.role === 'human')
  const wasPartial = useRef(has_newer)
  // A message from an earlier address is not scrolled to again.
  const visitedTarget = useRef(isLinked ? null : targetMessageId)

  // Another version is shown where its pager is, not at its end.
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
