import { Square, Volume2 } from 'lucide-react'
import { voiceText } from '#web/text/voice.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { startNarration, stopPlayback, usePlayer } from './player.ts'
import { splitSentences } from './sentences.ts'

type Props = { text: string; label: string; disabled?: boolean }

/** Reads a text aloud that is no answer of a conversation, or stops. `PlayerBar` shows the progress. */
export function ReadTextButton({ text, label, disabled }: Props) {
  // A changed text is read from its beginning.
  const key = `text-${text.length}-${text.slice(0, 40)}`
  const isReading = usePlayer((state) => state.narration?.key === key)
  return (
    <IconButton
      label={isReading ? voiceText.stop : label}
      disabled={disabled}
      onClick={() =>
        isReading
          ? stopPlayback()
          : startNarration({ key, sentences: splitSentences(text, true), isComplete: true })
      }
    >
      {isReading ? <Square size={15} fill="currentColor" aria-hidden /> : <Volume2 size={17} aria-hidden />}
    </IconButton>
  )
}
