import { UpstreamError } from '../upstream-error.ts'

/**
 * Milliseconds that each phase of an upstream call may take. `total_ms` ends a response that keeps itself alive without ever
 * finishing (comments count as activity).
 */
export type Timeouts = { connect_ms: number; first_byte_ms: number; idle_ms: number; total_ms: number }

/**
 * Reports `upstream_timeout` once when a phase of an upstream call takes too long. Time counts only while the upstream is
 * awaited, so a slow reader does not count as a silent upstream. One timer serves the whole call: when it fires, it checks
 * whether something came meanwhile, so that bytes cost no timer of their own.
 */
export class Watchdog {
  readonly #timeouts: Timeouts
  readonly #expire: (error: UpstreamError) => void
  readonly #started = performance.now()
  #since = this.#started
  #hasStarted = false
  /** Pauses under way, each for a reader or a source. */
  #pauses = 0
  #timer: NodeJS.Timeout | undefined
  #final_check: NodeJS.Immediate | undefined

  constructor(timeouts: Timeouts, expire: (error: UpstreamError) => void) {
    this.#timeouts = timeouts
    this.#expire = expire
    this.#check()
  }

  /** Bytes of the body came; headers do not count. */
  markActivity(): void {
    this.#since = performance.now()
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#check()
  }

  /** The reader is slow: nothing is awaited from the upstream. */
  pause(): void {
    this.#pauses++
  }

  resume(): void {
    this.#pauses--
    this.#since = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#final_check)
  }

  /** `isFinal`: the bytes that had come when the time was over have been read. */
  #check(isFinal = false): void {
    this.stop()
    const { first_byte_ms, idle_ms, total_ms } = this.#timeouts
    const now = performance.now()
    const [what, ms] = this.#hasStarted
      ? (['silence', idle_ms] as const)
      : (['no first byte', first_byte_ms] as const)
    const remainingMs = this.#pauses ? ms : ms - (now - this.#since)
    const totalRemainingMs = total_ms - (now - this.#started)
    if (totalRemainingMs <= 0) this.#expire(createTimeoutError('no end', total_ms))
    // If this process was busy, bytes may wait in its sockets: they are read before immediates.
    else if (remainingMs <= 0 && !isFinal) this.#final_check = setImmediate(() => this.#check(true))
    else if (remainingMs <= 0) this.#expire(createTimeoutError(what, ms))
    // A timer may fire a moment before its time.
    else this.#timer = setTimeout(() => this.#check(), Math.max(1, Math.min(remainingMs, totalRemainingMs)))
  }
}

function createTimeoutError(what: string, ms: number): UpstreamError {
  return new UpstreamError('upstream_timeout', `${what} for ${ms} ms`)
}
