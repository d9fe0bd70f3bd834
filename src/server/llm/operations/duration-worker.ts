import { parentPort, workerData } from 'node:worker_threads'
import { parseBuffer } from 'music-metadata'

/** Reads one recording and posts its length in seconds, or null. */
const bytes = workerData as ArrayBuffer

async function readDuration(): Promise<number | null> {
  try {
    // `duration`: formats without a length in their header are read whole.
    const options = { duration: true, skipCovers: true }
    const { format } = await parseBuffer(new Uint8Array(bytes), { size: bytes.byteLength }, options)
    return format.duration ?? null
  } catch {
    return null
  }
}

parentPort?.postMessage(await readDuration())
