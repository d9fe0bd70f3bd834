import { Square, Volume2 } from 'lucide-react'
import { voiceText } from '#web/text/voice.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { stopPlayback, usePlayer } from './player.ts'
import { readAloud } from './readAloud.ts'

/** Reads an answer aloud, or stops. */
export function ReadAloudButton({ messageKey }: { messageKey: string }) {
  const isReading = usePlayer((state) => state.narration?.key === messageKey)
  return (
    <IconButton
      label={isReading ? voiceText.stop : voiceText.read}
      size="sm"
      onClick={() => (isReading ? stopPlayback() : readAloud(messageKey))}
    >
      {isReading ? <Square size={14} fill="currentColor" aria-hidden /> : <Volume2 size={16} aria-hidden />}
    </IconButton>
  )
}
