import { create } from 'zustand'
import { ApiError } from '#web/core/api.ts'
import { voiceText } from '#web/text/voice.ts'
import { toast } from '#web/ui/toast.ts'
import { getSentenceAudio } from './sentenceAudio.ts'

/** An answer to be read aloud: its sentences so far, and whether it is complete. */
export type Narration = { key: string; sentences: string[]; isComplete: boolean }

type Player = {
  narration: Narration | null
  /** The sentence being read. */
  sentenceIndex: number
  /** `waiting`: for its sound, or for the answer to continue. */
  state: 'playing' | 'paused' | 'waiting'
}

const idlePlayer: Player = { narration: null, sentenceIndex: 0, state: 'waiting' }

/** The page's only voice. */
export const usePlayer = create<Player>()(() => idlePlayer)

const audio = new Audio()
audio.addEventListener('ended', () => seekToSentence(usePlayer.getState().sentenceIndex + 1))
/** Counts requests to the player, so that a sound that arrives too late is not played. */
let playbackId = 0
/** The sentence whose sound is in `audio`. */
let loadedSentence: string | null = null

/** Starts with the first sentence, or adds sentences to the answer being read. */
export function startNarration(narration: Narration): void {
  const current = usePlayer.getState()
  if (current.narration?.key !== narration.key) {
    usePlayer.setState({ narration, sentenceIndex: 0, state: 'waiting' })
    void playSentence()
    return
  }
  usePlayer.setState({ narration })
  if (current.state === 'waiting' && current.sentenceIndex >= current.narration.sentences.length)
    void playSentence()
}

export function stopPlayback(): void {
  playbackId += 1
  audio.pause()
  loadedSentence = null
  usePlayer.setState(idlePlayer)
}

export function togglePlayback(): void {
  if (usePlayer.getState().state === 'paused') {
    usePlayer.setState({ state: 'waiting' })
    void playSentence()
    return
  }
  playbackId += 1
  audio.pause()
  usePlayer.setState({ state: 'paused' })
}

/** Moves to a sentence. Behind the last one reading ends, unless the answer continues. */
export function seekToSentence(index: number): void {
  const { state } = usePlayer.getState()
  audio.pause()
  loadedSentence = null
  usePlayer.setState({ sentenceIndex: Math.max(0, index), state: state === 'paused' ? 'paused' : 'waiting' })
  if (state !== 'paused') void playSentence()
}

async function playSentence(): Promise<void> {
  const ownId = ++playbackId
  const { narration: reading, sentenceIndex } = usePlayer.getState()
  if (!reading) return
  const sentence = reading.sentences[sentenceIndex]
  if (sentence === undefined) {
    if (reading.isComplete) stopPlayback()
    return
  }
  try {
    const audioUrl = await getSentenceAudio(sentence)
    if (ownId !== playbackId) return
    if (loadedSentence !== sentence) audio.src = audioUrl
    loadedSentence = sentence
    await audio.play()
    if (ownId !== playbackId) return
    usePlayer.setState({ state: 'playing' })
    const next = usePlayer.getState().narration?.sentences[sentenceIndex + 1]
    // A failure is shown when the sentence is to be played.
    if (next !== undefined) getSentenceAudio(next).catch(() => {})
  } catch (error) {
    if (ownId !== playbackId) return
    stopPlayback()
    toast.error(error instanceof ApiError ? error.message : voiceText.failed)
  }
}
