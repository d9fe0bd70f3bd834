import { parentPort } from 'node:worker_threads'
import { measureRecording } from './recording.ts'

const port = parentPort
if (!port) throw new Error('recording-thread.ts runs in a worker thread only')

port.on('message', (bytes: ArrayBuffer) => port.postMessage(measure(bytes)))

/** A file may be anything, and its sizes lead anywhere, so a parser may throw. */
function measure(bytes: ArrayBuffer): number | null {
  try {
    return measureRecording(Buffer.from(bytes))
  } catch {
    return null
  }
}
