import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'

/** A process without a sign of life for this long is dead, seconds. */
export const DEAD_AFTER_S = 15
const BEAT_MS = 5_000
/** Between two signs of life that came after each other: after more than this one of them failed, or was held up. */
const MAX_BEAT_MS = 1.5 * BEAT_MS

/**
 * Says regularly that this process is alive, whatever else it has to wait for. While it cannot say so it knows nothing of
 * others either: their silence may be that of the database.
 */
export function createHeartbeat({ db, log, host_id }: { db: Db; log: Log; host_id: string }) {
  let timer: NodeJS.Timeout | undefined
  let lastMs = 0
  let regularSinceMs = -Infinity

  const beat = async (): Promise<void> => {
    try {
      await touchHost(db, host_id)
      const now = performance.now()
      if (now - lastMs > MAX_BEAT_MS) regularSinceMs = now
      lastMs = now
    } catch (err) {
      log.error({ err }, 'no sign of life')
    }
  }

  return {
    /** Rejects where the first sign of life fails. */
    async start(): Promise<void> {
      await touchHost(db, host_id)
      lastMs = performance.now()
      timer = setInterval(() => void beat(), BEAT_MS).unref()
    },
    stop(): void {
      clearInterval(timer)
    },
    /** Whether the silence of another process is its own: the database heard this one for as long as others may be silent. */
    canJudgeOthers(): boolean {
      const now = performance.now()
      return now - lastMs <= MAX_BEAT_MS && now - regularSinceMs >= DEAD_AFTER_S * 1000
    },
  }
}

async function touchHost(db: Db, hostId: string): Promise<void> {
  await db.execute(sql`
    INSERT INTO run_hosts (id, seen_at) VALUES (${hostId}, now())
    ON CONFLICT (id) DO UPDATE SET seen_at = now()`)
}
