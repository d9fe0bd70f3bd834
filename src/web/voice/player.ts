import { create } from 'zustand'
import { ApiError } from '../core/api.ts'
import { voiceText } from '../text/voice.ts'
import { toast } from '../ui/toast.ts'
import { soundOf } from './sounds.ts'

/** An answer to be read aloud: its sentences as far as they are known, and whether more are to come. */
export type Reading = { key: string; sentences: string[]; whole: boolean }

type Player = {
  reading: Reading | null
  /** The sentence that is read. */
  at: number
  /** `waiting`: for its sound, or for the answer to go on. */
  state: 'playing' | 'paused' | 'waiting'
}

const idle: Player = { reading: null, at: 0, state: 'waiting' }

/** The one voice of the page. */
export const usePlayer = create<Player>()(() => idle)

const audio = new Audio()
audio.addEventListener('ended', () => seek(usePlayer.getState().at + 1))
/** Counts what was asked of the player: a sound that arrives too late for its turn is not played. */
let turn = 0
/** The sentence whose sound is in `audio`. */
let loaded: string | null = null

/** Begins with the first sentence, or goes on with more sentences of the answer that is being read. */
export function read(reading: Reading): void {
  const now = usePlayer.getState()
  if (now.reading?.key !== reading.key) {
    usePlayer.setState({ reading, at: 0, state: 'waiting' })
    void play()
    return
  }
  usePlayer.setState({ reading })
  if (now.state === 'waiting' && now.at >= now.reading.sentences.length) void play()
}

export function stop(): void {
  turn += 1
  audio.pause()
  loaded = null
  usePlayer.setState(idle)
}

export function toggle(): void {
  if (usePlayer.getState().state === 'paused') {
    usePlayer.setState({ state: 'waiting' })
    void play()
    return
  }
  turn += 1
  audio.pause()
  usePlayer.setState({ state: 'paused' })
}

/** Goes to a sentence; behind the last one the reading is over, unless the answer goes on. */
export function seek(at: number): void {
  const { state } = usePlayer.getState()
  audio.pause()
  loaded = null
  usePlayer.setState({ at: Math.max(0, at), state: state === 'paused' ? 'paused' : 'waiting' })
  if (state !== 'paused') void play()
}

async function play(): Promise<void> {
  const mine = ++turn
  const { reading, at } = usePlayer.getState()
  if (!reading) return
  const sentence = reading.sentences[at]
  if (sentence === undefined) {
    if (reading.whole) stop()
    return
  }
  try {
    const sound = await soundOf(sentence)
    if (mine !== turn) return
    if (loaded !== sentence) audio.src = sound
    loaded = sentence
    await audio.play()
    if (mine !== turn) return
    usePlayer.setState({ state: 'playing' })
    const next = usePlayer.getState().reading?.sentences[at + 1]
    // A failure shows when its turn comes.
    if (next !== undefined) soundOf(next).catch(() => {})
  } catch (error) {
    if (mine !== turn) return
    stop()
    toast.error(error instanceof ApiError && error.status > 0 ? error.message : voiceText.failed)
  }
}
