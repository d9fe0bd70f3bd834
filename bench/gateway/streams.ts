import { readFileSync } from 'node:fs'
import { cpuSeconds } from './cpu.ts'
import { runInProcess } from './clients-process.ts'
import type { BenchProcess } from './processes.ts'

/** Streams to read at once, each with this number of chunks. */
export type StreamLoad = Pick<BenchProcess, 'url' | 'headers' | 'data_dir'> & {
  streams: number
  chunks: number
}
export type StreamStats = {
  /** Chunks that came, and those that came out of order or not at all. */
  chunks: number
  wrong: number
  /** Streams that did not end with `[DONE]`. */
  broken: number
  /** Ms from the upstream's writing to the client's reading. */
  p50_ms: number
  p99_ms: number
}

/** Chunks that each stream sends in a second (bench/gateway/upstream.ts). */
const CHUNKS_PER_SECOND = 10

/** S2: many streams at once, ten chunks a second each, read by a file of this folder. */
export async function measureStreams(
  { name, pid, url, headers, data_dir }: BenchProcess,
  streams: number,
  seconds: number,
  clients = 'stream-clients.ts',
) {
  const [cpuBefore, memoryBefore] = [cpuSeconds(pid), megabytes(pid)]
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, megabytes(pid))
  }, 250)
  const sent: StreamLoad = { url, headers, data_dir, streams, chunks: seconds * CHUNKS_PER_SECOND }
  const received = await runInProcess<StreamLoad, StreamStats>(clients, sent)
  clearInterval(watching)
  const cpu = cpuSeconds(pid) - cpuBefore
  return {
    through: name,
    streams,
    'chunks/s per core': Math.round(received.chunks / cpu),
    'CPU µs/chunk': Number(((cpu * 1_000_000) / received.chunks).toFixed(1)),
    'p50 ms': received.p50_ms,
    'p99 ms': received.p99_ms,
    'lost or out of order': received.wrong,
    'broken streams': received.broken,
    'MB before': memoryBefore,
    'MB at most': most,
  }
}

/** Resident memory (Linux, proc(5): VmRSS in kB). */
function megabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
