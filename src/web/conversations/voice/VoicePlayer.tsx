import { useEffect, useRef } from 'react'
import type { Conversation } from '#web/conversations/conversations.ts'
import { useUser } from '#web/core/user.ts'
import { PlayerBar } from './PlayerBar.tsx'
import { stopPlayback } from './player.ts'
import { readAloud } from './readAloud.ts'

/** The chat's player, which reads new answers automatically if the person has switched that on. */
export default function VoicePlayer({ conversation }: { conversation: Conversation | undefined }) {
  const isAutoRead = useUser()?.voice_reply ?? false
  const last = conversation?.messages.at(-1)
  // Only answers to questions asked here: another tab or device reads its own.
  const newAnswerKey = last?.status === 'typing' && last.key.startsWith('local-') ? last.key : null
  const startedKey = useRef<string | null>(null)
  useEffect(() => {
    if (!isAutoRead || !newAnswerKey || startedKey.current === newAnswerKey) return
    startedKey.current = newAnswerKey
    readAloud(newAnswerKey)
  }, [isAutoRead, newAnswerKey])
  useEffect(() => stopPlayback, [])
  return <PlayerBar />
}
