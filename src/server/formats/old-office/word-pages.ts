import { readPlc, readTable, TABLE } from './word-file.ts'
import type { WordFile } from './word-file.ts'

type Run = { start: number; end: number; bytes: Buffer }

/** Reads pages of 512 bytes with runs and their properties (MS-DOC 2.9.22, 2.9.174). */
export function readPages(file: WordFile, place: number): Run[] {
  const isParagraph = place === TABLE.paragraphs
  const entryBytes = isParagraph ? 13 : 1
  const runs: Run[] = []
  for (const { data } of readPlc(readTable(file, place), 4)) {
    const page = data.readUInt32LE(0) * 512
    const block = file.main.subarray(page, page + 512)
    const count = block.length === 512 ? (block[511] ?? 0) : 0
    for (let run = 0; run < count && (count + 1) * 4 + run * entryBytes < 511; run++) {
      const at = (block[(count + 1) * 4 + run * entryBytes] ?? 0) * 2
      const bytes = at ? readRun(block, at, isParagraph) : EMPTY
      runs.push({ start: block.readUInt32LE(run * 4), end: block.readUInt32LE(run * 4 + 4), bytes })
    }
  }
  return runs.sort((one, other) => one.start - other.start)
}

function readRun(block: Buffer, at: number, isParagraph: boolean): Buffer {
  const size = block[at] ?? 0
  if (!isParagraph) return block.subarray(at + 1, at + 1 + size)
  return size
    ? block.subarray(at + 1, at + size * 2)
    : block.subarray(at + 2, at + 2 + (block[at + 1] ?? 0) * 2)
}

const EMPTY = Buffer.alloc(0)

/** Finds the run at a place; neighbours of the last one are found at once. */
export function createRuns(runs: Run[]): { find(offset: number): Buffer } {
  let last: Run | undefined
  return {
    find(offset) {
      if (last && last.start <= offset && offset < last.end) return last.bytes
      let [low, high] = [0, runs.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((runs[middle]?.end ?? 0) <= offset) low = middle + 1
        else high = middle
      }
      const run = runs[low]
      if (!run || run.start > offset) return EMPTY
      last = run
      return run.bytes
    },
  }
}
