// Names alone, no code: what a chunk takes from here brings nothing else into it.
export { MAX_RECORDING_MS, showRecording, startRecording, stopRecording } from './recorder.ts'
export { setRecording, useHasRecording, useRecording } from './recordingStore.ts'
export { RecordingPlayer } from './RecordingPlayer.tsx'
export { cancelSending, discardRecording, sendRecording } from './sendRecording.ts'
export { useSound } from './soundQueries.ts'
export { Waveform } from './Waveform.tsx'
