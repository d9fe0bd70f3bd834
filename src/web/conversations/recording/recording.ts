// Re-exports only, no code: a chunk that imports from here gets nothing else.
export { MAX_RECORDING_MS, showRecording, startRecording, stopRecording } from './recorder.ts'
export { setRecording, useHasRecording, useRecording } from './recordingStore.ts'
export { RecordingPlayer } from './RecordingPlayer.tsx'
export { cancelSending, discardRecording, sendRecording } from './sendRecording.ts'
export { useSound } from './soundQueries.ts'
export { Waveform } from './Waveform.tsx'
