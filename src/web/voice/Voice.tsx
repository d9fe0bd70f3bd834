import { useEffect, useRef } from 'react'
import type { Conversation } from '../chat/conversation.ts'
import { useUser } from '../core/user.ts'
import { PlayerBar } from './PlayerBar.tsx'
import { stop } from './player.ts'
import { readAnswer } from './readAnswer.ts'

/** The voice of the chat: its player, and the answers that a person wants to hear without asking each time. */
export default function Voice({ shown }: { shown: Conversation | undefined }) {
  const reply = useUser()?.voice_reply ?? false
  const last = shown?.turns.at(-1)
  // Only what was asked here: another tab or device reads its own.
  const mine = last?.status === 'typing' && last.key.startsWith('local-') ? last.key : null
  const begun = useRef<string | null>(null)
  useEffect(() => {
    if (!reply || !mine || begun.current === mine) return
    begun.current = mine
    readAnswer(mine)
  }, [reply, mine])
  useEffect(() => stop, [])
  return <PlayerBar />
}
