import { UpstreamError } from './chat.ts'
import type { Timeouts } from './chat.ts'

/**
 * Aborts `signal` with `upstream_timeout` when a phase of an upstream call takes too long, and with the caller's own
 * reason when the caller aborts. Time counts only while something is awaited, so a slow reader is no silent upstream.
 */
export class Watchdog {
  readonly #abort = new AbortController()
  readonly #caller: AbortSignal
  readonly #timeouts: Timeouts
  readonly #total: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  #begun = false

  constructor(timeouts: Timeouts, caller: AbortSignal) {
    this.#timeouts = timeouts
    this.#caller = caller
    this.#total = setTimeout(() => this.#expire('no end', timeouts.total_ms), timeouts.total_ms)
    if (caller.aborted) this.#onAbort()
    else caller.addEventListener('abort', this.#onAbort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Something is awaited from now on: the first byte, or the next one. */
  wait(): void {
    // Headers are no byte of the body: the first wait goes on.
    if (this.#timer && !this.#begun) return
    const ms = this.#begun ? this.#timeouts.idle_ms : this.#timeouts.first_byte_ms
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#expire(this.#begun ? 'silence' : 'no first byte', ms), ms)
  }

  /** Bytes of the body came. */
  arrived(): void {
    this.#begun = true
    clearTimeout(this.#timer)
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#total)
    this.#caller.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.#abort.abort(this.#caller.reason)

  #expire(what: string, ms: number): void {
    this.#abort.abort(new UpstreamError('upstream_timeout', `${what} for ${ms} ms`))
  }
}
