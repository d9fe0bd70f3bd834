import { MicOff } from 'lucide-react'
import { isNotFound } from '#web/core/api.ts'
import { useBlock } from '#web/files/files.ts'
import { RecordingPlayer, useSound } from '#web/conversations/recording/recording.ts'
import { recordingText } from '#web/text/voice.ts'

/** Plays the recording of a spoken question, above its text. */
export default function QuestionRecording({ id }: { id: string }) {
  const { data: block, error } = useBlock(id)
  const { data: sound, isError: isUnplayable } = useSound(id, block?.url)
  const isGone = isNotFound(error)
  if (sound) return <RecordingPlayer sound={sound} className="mb-1 w-60 max-w-full max-md:mb-1.5" />
  return (
    <p className="mb-1 flex h-8 w-60 max-w-full items-center gap-2 text-note text-ink2 max-md:mb-1.5 max-md:h-11">
      {(isGone || isUnplayable) && <MicOff size={15} aria-hidden className="shrink-0" />}
      {isGone ? recordingText.gone : isUnplayable ? recordingText.unplayable : recordingText.loading}
      {isUnplayable && block && (
        <a href={`${block.url}?download`} download className="underline underline-offset-4">
          {recordingText.download}
        </a>
      )}
    </p>
  )
}
