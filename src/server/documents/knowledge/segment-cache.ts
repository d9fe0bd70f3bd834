import type { Db } from '#server/core/database/database.ts'
import { parseSegment } from './segment.ts'
import type { Segment } from './segment.ts'
import { readPacked } from './store.ts'
import { parseVectors } from './vectors.ts'
import type { VectorSet } from './vectors.ts'

/** Most bytes in memory. Words and vectors of a segment never change, so nothing in it is ever out of date. */
const MAX_CACHE_BYTES = 256 * 1024 * 1024
/** Rows that are read by one statement: some megabytes. */
const ROWS_AT_A_TIME = 8

export type SegmentCache = ReturnType<typeof createSegmentCache>

/** Loads words and vectors of segments by their ids, and keeps the most recently used ones in memory. */
export function createSegmentCache(db: Db, maxBytes = MAX_CACHE_BYTES) {
  /** The least recently used ones first. */
  const cached = new Map<string, Segment | VectorSet>()
  let bytes = 0

  const keep = (id: string, part: Segment | VectorSet): void => {
    if (cached.has(id)) return
    cached.set(id, part)
    bytes += part.bytes
    for (const [oldest, { bytes: freed }] of cached) {
      if (bytes <= maxBytes || oldest === id) break
      cached.delete(oldest)
      bytes -= freed
    }
  }

  const load =
    <Part extends Segment | VectorSet>(part: 'words' | 'vectors', parse: (packed: Uint8Array) => Part) =>
    async (ids: readonly string[], signal: AbortSignal): Promise<Map<string, Part>> => {
      const parts = new Map<string, Part>()
      const missingIds: string[] = []
      for (const id of ids) {
        // An id always belongs to the same kind of part.
        const cachedPart = cached.get(id) as Part | undefined
        if (!cachedPart) missingIds.push(id)
        else {
          parts.set(id, cachedPart)
          cached.delete(id)
          cached.set(id, cachedPart)
        }
      }
      for (let at = 0; at < missingIds.length; at += ROWS_AT_A_TIME) {
        signal.throwIfAborted()
        const rows = await readPacked(db, part, missingIds.slice(at, at + ROWS_AT_A_TIME))
        for (const [id, packed] of rows) {
          const parsed = parse(packed)
          parts.set(id, parsed)
          keep(id, parsed)
        }
      }
      return parts
    }

  return {
    /** Parts that are gone meanwhile are missing. */
    loadWords: load('words', parseSegment),
    loadVectors: load('vectors', parseVectors),
  }
}
