import { Square, Volume2 } from 'lucide-react'
import { voiceText } from '../text/voice.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { stop, usePlayer } from './player.ts'
import { readAnswer } from './readAnswer.ts'

/** Reads an answer aloud, or stops. */
export function ReadAloud({ turn_key }: { turn_key: string }) {
  const reading = usePlayer((state) => state.reading?.key === turn_key)
  return (
    <IconButton
      label={reading ? voiceText.stop : voiceText.read}
      size="sm"
      onClick={() => (reading ? stop() : readAnswer(turn_key))}
    >
      {reading ? <Square size={14} fill="currentColor" aria-hidden /> : <Volume2 size={16} aria-hidden />}
    </IconButton>
  )
}
