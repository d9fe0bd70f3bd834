import { UpstreamError } from '../chat.ts'
import type { Timeouts } from '../chat.ts'

/**
 * Says `upstream_timeout` once when a phase of an upstream call takes too long. Time counts only while the upstream is
 * awaited, so a slow reader is no silent upstream. One timer for the whole call, which looks when it fires whether
 * something came meanwhile: what comes costs no timer of its own.
 */
export class Watchdog {
  readonly #timeouts: Timeouts
  readonly #expire: (error: UpstreamError) => void
  readonly #started = performance.now()
  #since = this.#started
  #begun = false
  #paused = false
  #timer: NodeJS.Timeout | undefined
  #last_look: NodeJS.Immediate | undefined

  constructor(timeouts: Timeouts, expire: (error: UpstreamError) => void) {
    this.#timeouts = timeouts
    this.#expire = expire
    this.#look()
  }

  /** Bytes of the body came; headers are none. */
  markActivity(): void {
    this.#since = performance.now()
    if (this.#begun) return
    this.#begun = true
    this.#look()
  }

  /** The reader is slow: nothing is awaited from the upstream. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#since = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#last_look)
  }

  /** `heard`: what had come when the time was over has been read. */
  #look(heard = false): void {
    this.stop()
    const { first_byte_ms, idle_ms, total_ms } = this.#timeouts
    const now = performance.now()
    const [what, ms] = this.#begun
      ? (['silence', idle_ms] as const)
      : (['no first byte', first_byte_ms] as const)
    const left = this.#paused ? ms : ms - (now - this.#since)
    const left_in_all = total_ms - (now - this.#started)
    if (left_in_all <= 0) this.#expire(createTimeoutError('no end', total_ms))
    // Had this process been busy, the bytes may lie in its sockets: they are read before immediates.
    else if (left <= 0 && !heard) this.#last_look = setImmediate(() => this.#look(true))
    else if (left <= 0) this.#expire(createTimeoutError(what, ms))
    // A timer may fire a moment before its time.
    else this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.min(left, left_in_all)))
  }
}

function createTimeoutError(what: string, ms: number): UpstreamError {
  return new UpstreamError('upstream_timeout', `${what} for ${ms} ms`)
}
