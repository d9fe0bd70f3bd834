import type { Db } from '#server/core/database/database.ts'
import { parseSegment } from './segment.ts'
import type { Segment } from './segment.ts'
import { readSegments } from './store.ts'

/** What is kept in memory. A segment never changes, so nothing of it is ever out of date. */
const MAX_CACHE_BYTES = 256 * 1024 * 1024
/** Segments that are read by one statement: some megabytes. */
const SEGMENTS_AT_A_TIME = 8

export type SegmentCache = ReturnType<typeof createSegmentCache>

/** Segments by their ids, the most recently used ones in memory. */
export function createSegmentCache(db: Db, max_bytes = MAX_CACHE_BYTES) {
  /** The least recently used ones first. */
  const cached = new Map<string, Segment>()
  let bytes = 0

  const keep = (id: string, segment: Segment): void => {
    if (cached.has(id)) return
    cached.set(id, segment)
    bytes += segment.bytes
    for (const [oldest, { bytes: freed }] of cached) {
      if (bytes <= max_bytes || oldest === id) break
      cached.delete(oldest)
      bytes -= freed
    }
  }

  return {
    /** Those that are gone meanwhile are missing. */
    async load(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Segment>> {
      const found = new Map<string, Segment>()
      const missing: string[] = []
      for (const id of ids) {
        const segment = cached.get(id)
        if (!segment) missing.push(id)
        else {
          found.set(id, segment)
          cached.delete(id)
          cached.set(id, segment)
        }
      }
      for (let at = 0; at < missing.length; at += SEGMENTS_AT_A_TIME) {
        signal.throwIfAborted()
        const packed = await readSegments(db, missing.slice(at, at + SEGMENTS_AT_A_TIME))
        for (const [id, words] of packed) {
          const segment = parseSegment(words)
          found.set(id, segment)
          keep(id, segment)
        }
      }
      return found
    },
  }
}
