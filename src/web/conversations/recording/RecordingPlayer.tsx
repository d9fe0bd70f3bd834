import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatTime } from '#web/core/formatTime.ts'
import { recordingText } from '#web/text/voice.ts'
import type { Sound } from './sound.ts'
import { Waveform } from './Waveform.tsx'

type Props = { sound: Sound; className?: string }

/** A position beyond the end of any recording. */
const END_SECONDS = 1e9

/** Plays a recording. Its waveform is the seek bar. */
export function RecordingPlayer({ sound, className = '' }: Props) {
  const { blob, seconds, peaks } = sound
  const audio = useRef<HTMLAudioElement>(null)
  const [url, setUrl] = useState<string>()
  const [isPlaying, setIsPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  useEffect(() => {
    const objectUrl = URL.createObjectURL(blob)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [blob])
  useEffect(() => {
    if (!isPlaying) return
    let frame = 0
    const follow = () => {
      setPosition(audio.current?.currentTime ?? 0)
      frame = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])

  const toggle = () => {
    if (!audio.current) return
    if (isPlaying) return audio.current.pause()
    // Only one voice plays at a time.
    for (const other of document.querySelectorAll('audio')) other.pause()
    // Playback was paused before it began, or the element left the page: nothing waits for it.
    audio.current.play().catch(() => {})
  }
  const seek = (to: number) => {
    if (audio.current) audio.current.currentTime = to
    setPosition(to)
  }
  const length = formatTime(Math.max(1, Math.round(seconds)) * 1000)
  const label = isPlaying ? recordingText.pause : recordingText.play
  const positionText = formatTime(Math.floor(position) * 1000)
  return (
    <div className={`flex items-center gap-2.5 ${className}`}>
      {/* The words of it stand beside it, as text. */}
      <audio
        ref={audio}
        src={url}
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onEnded={() => seek(0)}
        // Browsers do not store the length of a recording: seeking to its end finds it, and seeking works only after that.
        onLoadedMetadata={({ currentTarget }) => {
          if (currentTarget.duration === Infinity) currentTarget.currentTime = END_SECONDS
        }}
        onDurationChange={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration) && !isPlaying) currentTarget.currentTime = position
        }}
      >
        <track kind="captions" />
      </audio>
      <button
        type="button"
        aria-label={label}
        data-tooltip={label}
        onClick={toggle}
        className="grid size-8 shrink-0 place-items-center rounded-full bg-raised text-accent shadow-soft transition-colors hover:bg-accent-soft max-md:size-11 dark:bg-accent-soft"
      >
        {isPlaying ? (
          <Pause size={16} fill="currentColor" strokeWidth={0} aria-hidden />
        ) : (
          <Play size={16} fill="currentColor" strokeWidth={0} aria-hidden className="ml-0.5" />
        )}
      </button>
      <div className="relative min-w-0 flex-1 rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
        <Waveform peaks={peaks} played={position / seconds} className="h-6 w-full" />
        <input
          type="range"
          aria-label={recordingText.position}
          aria-valuetext={recordingText.at(positionText, length)}
          min={0}
          max={seconds}
          step={0.1}
          value={position}
          onChange={({ target }) => seek(target.valueAsNumber)}
          className="absolute inset-x-0 -inset-y-2.5 w-full cursor-pointer opacity-0"
        />
      </div>
      <span className="shrink-0 text-xs text-ink2 tabular-nums">{position > 0 ? positionText : length}</span>
    </div>
  )
}
