import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'

/** A process without a heartbeat for this long is dead, seconds. */
export const DEAD_AFTER_S = 15
const BEAT_MS = 5_000
/** Longest time between two regular heartbeats: after more than this, one failed or was delayed. */
const MAX_BEAT_MS = 1.5 * BEAT_MS

/**
 * Sends this process's heartbeats, whatever else it has to wait for. While they fail it cannot judge others: their silence may be
 * due to the database.
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
    /** Rejects when the first heartbeat fails. */
    async start(): Promise<void> {
      await touchHost(db, host_id)
      lastMs = performance.now()
      timer = setInterval(() => void beat(), BEAT_MS).unref()
    },
    stop(): void {
      clearInterval(timer)
    },
    /** Tells whether another process's silence is its own: the database has received ours for as long as that may last. */
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
