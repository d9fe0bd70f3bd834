import { LoaderCircle, Mic, Square, Trash2, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatTime } from '#web/core/formatTime.ts'
import {
  cancelSending,
  discardRecording,
  MAX_RECORDING_MS,
  RecordingPlayer,
  sendRecording,
  showRecording,
  startRecording,
  stopRecording,
  useRecording,
  Waveform,
} from '#web/conversations/recording/recording.ts'
import { recordingText } from '#web/text/voice.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { SendButton } from './SendButton.tsx'

type Props = {
  conversationKey: string
  /** A question can be asked at the moment. */
  canSend: boolean
  onSend: (blockId: string) => void
  /** Called when the bar has to close. */
  onClose: () => void
}

/** The maximum length is shown when less than this is left, ms. */
const LAST_MS = 60_000
const LEVELS_SHOWN = 120

/** Records a question, which can be played back, sent or discarded. A requested recording starts when the bar is shown. */
export default function RecordingBar({ conversationKey, canSend, onSend, onClose }: Props) {
  const recording = useRecording(conversationKey)
  const bar = useRef<HTMLDivElement>(null)
  const state = recording?.state
  useEffect(() => showRecording(conversationKey), [conversationKey])
  // The pressed button may have gone, so the focus moves to another one of the bar.
  useEffect(() => {
    const buttons = bar.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')
    if (!bar.current?.contains(document.activeElement)) [...(buttons ?? [])].at(-1)?.focus()
  }, [state])
  if (!recording) return null

  const discard = () => {
    discardRecording(conversationKey)
    onClose()
  }
  const sendAfter = () => {
    const onSent = (blockId: string) => {
      onSend(blockId)
      onClose()
    }
    void sendRecording(conversationKey, onSent)
  }
  const send = <SendButton typing={false} ready={canSend} onSend={sendAfter} onStop={discard} />
  const discardButton = (label: string) => (
    <IconButton label={label} onClick={discard}>
      <Trash2 size={17} aria-hidden />
    </IconButton>
  )
  return (
    <div ref={bar} role="group" aria-label={recordingText.group} className="px-2 pb-2">
      {recording.state === 'recorded' && recording.note && (
        <p role="alert" className="px-2.5 pb-2 text-note text-danger">
          {recording.note}
        </p>
      )}
      <div className="flex items-center gap-2">
        {recording.state === 'starting' && (
          <>
            <Strip>
              <Mic size={16} aria-hidden className="shrink-0 animate-shimmer text-accent" />
              <Step>{recordingText.starting}</Step>
            </Strip>
            <CloseButton label={recordingText.cancel} onClick={discard} />
          </>
        )}
        {recording.state === 'recording' && (
          <>
            {discardButton(recordingText.cancel)}
            <Strip>
              <span aria-hidden className="size-2.5 shrink-0 animate-shimmer rounded-full bg-danger" />
              <span role="status" className="sr-only">
                {recordingText.recording}
              </span>
              <span role="timer" className="shrink-0 text-note tabular-nums">
                {formatTime(recording.ms)}
                {recording.ms > MAX_RECORDING_MS - LAST_MS && ` / ${formatTime(MAX_RECORDING_MS)}`}
              </span>
              <div className="flex min-w-0 flex-1 justify-end overflow-hidden">
                <Waveform peaks={toScrolling(recording.levels)} className="h-6 w-150 shrink-0" />
              </div>
            </Strip>
            <IconButton label={recordingText.stop} onClick={() => void stopRecording(conversationKey)}>
              <Square size={15} fill="currentColor" aria-hidden />
            </IconButton>
            {send}
          </>
        )}
        {recording.state === 'recorded' && (
          <>
            {discardButton(recordingText.discard)}
            <Strip className="pl-0.5 max-md:pl-0">
              <RecordingPlayer sound={recording.sound} className="min-w-0 flex-1 md:max-w-80" />
            </Strip>
            {send}
          </>
        )}
        {recording.state === 'sending' && (
          <>
            <Strip>
              <LoaderCircle size={16} aria-hidden className="shrink-0 animate-spin text-accent" />
              <Step>{recording.step}</Step>
              <Waveform
                peaks={recording.sound.peaks}
                className="ml-auto h-6 min-w-0 max-w-60 flex-1 opacity-50"
              />
            </Strip>
            <CloseButton label={recordingText.stopSending} onClick={() => cancelSending(conversationKey)} />
          </>
        )}
        {recording.state === 'refused' && (
          <>
            <p role="alert" className="min-w-0 flex-1 px-2.5 text-note text-danger">
              {recording.reason}
            </p>
            <CloseButton label={recordingText.close} onClick={discard} />
            <IconButton label={recordingText.retry} onClick={() => void startRecording(conversationKey)}>
              <Mic size={17} aria-hidden />
            </IconButton>
          </>
        )}
      </div>
    </div>
  )
}

/** The latest levels, newest at the right. */
const toScrolling = (levels: readonly number[]): number[] =>
  [...Array<number>(LEVELS_SHOWN).fill(0), ...levels].slice(-LEVELS_SHOWN)

function Strip({ className = 'pl-3.5', children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={`flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-full bg-fill pr-3.5 dark:bg-fill2 max-md:h-11 ${className}`}
    >
      {children}
    </div>
  )
}

const Step = ({ children }: { children: ReactNode }) => (
  <span role="status" className="truncate text-note text-ink2 tabular-nums">
    {children}
  </span>
)

const CloseButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton label={label} onClick={onClick}>
    <X size={17} aria-hidden />
  </IconButton>
)
