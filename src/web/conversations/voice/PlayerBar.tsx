import { Pause, Play, SkipBack, SkipForward, X } from 'lucide-react'
import { useEffect } from 'react'
import { voiceText } from '#web/text/voice.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { highlightSentence } from './sentenceHighlight.ts'
import { seekToSentence, stopPlayback, togglePlayback, usePlayer } from './player.ts'
import './voice.css'

/** Shows the sentence being read, with controls to pause, to move to another sentence, and to stop. */
export function PlayerBar() {
  const { narration, sentenceIndex, state } = usePlayer()
  const sentences = narration?.sentences ?? []
  useEffect(() => {
    const answer = narration && document.querySelector(`[data-turn="${CSS.escape(narration.key)}"]`)
    const highlight = () => highlightSentence(answer, narration?.sentences ?? [], sentenceIndex)
    highlight()
    // A highlight disappears with its text node, so rerendered text is highlighted again.
    const observer = new MutationObserver(highlight)
    if (answer) observer.observe(answer, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      highlightSentence(null, [], 0)
    }
  }, [narration, sentenceIndex])
  if (!narration) return null
  const sentence = sentences[sentenceIndex]
  const paused = state === 'paused'
  return (
    <div
      role="group"
      aria-label={voiceText.player}
      className="mb-2 flex items-center gap-1 rounded-2xl border border-line2 bg-raised py-1 pr-1 pl-1.5 shadow-soft max-md:flex-wrap"
    >
      <IconButton
        label={voiceText.previous}
        size="sm"
        disabled={sentenceIndex === 0}
        onClick={() => seekToSentence(sentenceIndex - 1)}
      >
        <SkipBack size={16} aria-hidden />
      </IconButton>
      <IconButton label={paused ? voiceText.resume : voiceText.pause} onClick={togglePlayback}>
        {paused ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
      </IconButton>
      <IconButton
        label={voiceText.next}
        size="sm"
        disabled={sentenceIndex >= sentences.length - 1}
        onClick={() => seekToSentence(sentenceIndex + 1)}
      >
        <SkipForward size={16} aria-hidden />
      </IconButton>
      <p className="mx-1.5 min-w-0 flex-1 truncate text-note text-ink2 max-md:order-last max-md:basis-full max-md:pb-1">
        {sentence ?? voiceText.waiting}
      </p>
      {sentences.length > 1 && (
        <input
          type="range"
          aria-label={voiceText.position}
          aria-valuetext={sentence ?? voiceText.waiting}
          min={0}
          max={sentences.length - 1}
          value={Math.min(sentenceIndex, sentences.length - 1)}
          onChange={(event) => seekToSentence(event.target.valueAsNumber)}
          className="h-9 w-28 min-w-0 shrink accent-[var(--accent)] max-md:h-11 max-md:flex-1"
        />
      )}
      <span className="px-1.5 text-xs text-ink3 tabular-nums">
        {voiceText.at(Math.min(sentenceIndex + 1, sentences.length), sentences.length)}
      </span>
      <IconButton label={voiceText.stop} size="sm" onClick={stopPlayback}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  )
}
