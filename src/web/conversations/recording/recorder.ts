import { recordingText } from '#web/text/voice.ts'
import { stopPlayback } from '#web/conversations/voice/voice.ts'
import { getRecording, setRecording } from './recordingStore.ts'
import { readSound, toPeaks, type Sound } from './sound.ts'

export const MAX_RECORDING_MS = 10 * 60_000
const MAX_BYTES = 20_000_000
/** A shorter recording was a slip of the finger. */
const MIN_MS = 500
const TICK_MS = 100
/** Plenty for speech: ten minutes are 2.4 MB. */
const BITS_PER_SECOND = 32_000
/** The first type that the browser supports is used. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']
const EXTENSIONS: Record<string, string> = { 'audio/webm': 'webm', 'audio/ogg': 'ogg', 'audio/mp4': 'm4a' }

type RunningRecording = {
  conversationKey: string
  /** Keeps the recording, with a note unless the person ended it. Resolves when it can be played. */
  stop: (note: string | null) => Promise<void>
  discard: () => void
}

/** Conversations whose recording is on the screen. */
const shownKeys = new Set<string>()

/** The microphone is used by one recording at a time. */
let runningRecording: RunningRecording | null = null

/** Records the next question of a conversation, or shows why that is impossible. */
export async function startRecording(conversationKey: string): Promise<void> {
  const refuse = (reason: string) => setRecording(conversationKey, { state: 'refused', reason })
  if (!isSecureContext) return refuse(recordingText.insecure)
  if (!('MediaRecorder' in window)) return refuse(recordingText.unsupported)
  const starting = { state: 'starting' } as const
  const isWanted = () => getRecording(conversationKey) === starting
  setRecording(conversationKey, starting)
  // The recording would contain any answer being read aloud.
  stopPlayback()
  let stream: MediaStream | undefined
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } })
    if (isWanted()) runningRecording = record(conversationKey, stream)
    else closeMicrophone(stream)
  } catch (error) {
    if (stream) closeMicrophone(stream)
    if (isWanted()) refuse(describeRefusal(error))
  }
}

/** Ends the running recording, which can then be played. */
export async function stopRecording(conversationKey: string): Promise<void> {
  if (runningRecording?.conversationKey === conversationKey) await runningRecording.stop(null)
}

/** Ends the running recording and discards it. */
export function discardRunning(conversationKey: string): void {
  if (runningRecording?.conversationKey === conversationKey) runningRecording.discard()
}

/**
 * Marks the recording of a conversation as visible, and begins it if that was requested. The returned function marks it as hidden
 * and ends it, since nobody is recorded unseen. A finished recording stays in its conversation.
 */
export function showRecording(conversationKey: string): () => void {
  shownKeys.add(conversationKey)
  if (getRecording(conversationKey)?.state === 'starting') void startRecording(conversationKey)
  return () => {
    shownKeys.delete(conversationKey)
    // React's strict mode shows it again at once.
    setTimeout(() => shownKeys.has(conversationKey) || leaveRecording(conversationKey))
  }
}

function leaveRecording(conversationKey: string): void {
  const state = getRecording(conversationKey)?.state
  if (state === 'recording') void stopRecording(conversationKey)
  else if (state === 'starting' || state === 'refused') setRecording(conversationKey, undefined)
}

function record(conversationKey: string, stream: MediaStream): RunningRecording {
  const type = TYPES.find((candidate) => MediaRecorder.isTypeSupported(candidate))
  const recorder = new MediaRecorder(stream, {
    ...(type ? { mimeType: type } : {}),
    audioBitsPerSecond: BITS_PER_SECOND,
  })
  const meter = openMeter(stream)
  const chunks: Blob[] = []
  const levels: number[] = []
  const startedAt = performance.now()
  let bytes = 0
  let note: string | null = null
  let isDiscarded = false
  const getMs = () => performance.now() - startedAt

  const end = (reason: string | null) => {
    note ??= reason
    if (recorder.state !== 'inactive') recorder.stop()
  }
  const timer = setInterval(() => {
    levels.push(meter.read())
    setRecording(conversationKey, { state: 'recording', ms: getMs(), levels: [...levels] })
    if (getMs() >= MAX_RECORDING_MS || bytes >= MAX_BYTES)
      end(recordingText.tooLong(MAX_RECORDING_MS / 60_000))
  }, TICK_MS)
  const endPromise = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => {
      clearInterval(timer)
      meter.close()
      closeMicrophone(stream)
      runningRecording = null
      resolve(isDiscarded ? undefined : keep())
    })
  })
  const keep = async () => {
    const ms = getMs()
    const file = createFile(chunks, recorder.mimeType)
    if (ms < MIN_MS || !file.size)
      return setRecording(conversationKey, { state: 'refused', reason: recordingText.tooShort })
    const measured: Sound = { blob: file, seconds: ms / 1000, peaks: toPeaks(levels) }
    const sound = await readSound(file).catch(() => measured)
    if (!isDiscarded) setRecording(conversationKey, { state: 'recorded', file, sound, note, block_id: null })
  }
  recorder.addEventListener('dataavailable', ({ data }) => {
    chunks.push(data)
    bytes += data.size
  })
  for (const track of stream.getTracks())
    track.addEventListener('ended', () => end(recordingText.interrupted))
  recorder.start(1_000)
  setRecording(conversationKey, { state: 'recording', ms: 0, levels })
  return {
    conversationKey,
    stop: (reason) => {
      end(reason)
      return endPromise
    },
    discard: () => {
      isDiscarded = true
      end(null)
    },
  }
}

function createFile(chunks: Blob[], mimeType: string): File {
  const type = mimeType.split(';')[0] ?? ''
  const moment = new Date().toLocaleString('sv-SE').replaceAll(':', '.')
  return new File(chunks, `${recordingText.fileName(moment)}.${EXTENSIONS[type] ?? 'webm'}`, { type })
}

/** Measures loudness on a perceptual scale from 0 to 1. */
function openMeter(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  // Samples that cover most of a tick.
  analyser.fftSize = 4_096
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read(): number {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length
      return Math.min(1, 1.8 * power ** 0.25)
    },
    close: () => void context.close(),
  }
}

function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Names from https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia. */
const REFUSALS: Record<string, string> = {
  NotAllowedError: recordingText.denied,
  NotFoundError: recordingText.noMicrophone,
  NotSupportedError: recordingText.unsupported,
}

const describeRefusal = (error: unknown): string =>
  REFUSALS[error instanceof Error ? error.name : ''] ?? recordingText.microphoneBusy
