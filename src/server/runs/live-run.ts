import type { ErrorCode } from '#contract/errors.ts'

/** How a run ended. `text` is all that it said; what readers saw and what is stored are the same. */
export type Outcome = {
  state: 'done' | 'cancelled' | 'failed' | 'interrupted'
  /** Why, of one that failed or was interrupted. */
  code: ErrorCode | null
  text: string
  /** Seconds after which another try may do better, of one that failed and whose platform said so. Kept nowhere. */
  retry_after?: number
}

/** What a feature tells its readers before the first text; the pipe does not look inside. */
export type RunNote = object

/**
 * What a reader of a run is told. `position` is how many characters of the text (UTF-16 units) it has then; `replace`:
 * the text takes the place of all before it.
 */
export type RunEvent =
  | { type: 'note'; note: RunNote }
  | { type: 'text'; text: string; replace: boolean; position: number }
  | { type: 'end'; outcome: Outcome }

/** The same for a reader that also wants what was thought; `ms`: for how long, if that is known. */
export type ThoughtEvent = RunEvent | { type: 'reasoning'; text: string; ms: number | null; position: number }

/** How far a reader has come, characters of the text and of the reasoning. */
export type Position = { text: number; reasoning: number }

/**
 * A run that this process drives, as its readers see it: the text that is already in the stream log. A reader keeps
 * its own position and takes what is new when it is ready, so that a slow one costs no memory and skips nothing.
 */
export class LiveRun {
  readonly run_id: string
  readonly abort = new AbortController()
  cancelled = false
  text = ''
  reasoning = ''
  /** From the start to the latest reasoning; null in a process that only looks on. */
  reasoning_ms: number | null = null
  outcome: Outcome | null = null
  first_text_at: Date | null = null
  #note: RunNote | null = null
  readonly #started: number | null
  /** How often the text was replaced as a whole. */
  #replacements = 0
  #wake: () => void = () => {}
  #changed!: Promise<void>

  /** `started`: when, of a run that this process drives itself (ms). */
  constructor(run_id: string, started: number | null = null) {
    this.run_id = run_id
    this.#started = started
    this.#arm()
  }

  /** Milliseconds from the start to the first text; null where nobody knows or none came. */
  get first_text_ms(): number | null {
    if (this.#started === null || !this.first_text_at) return null
    return this.first_text_at.getTime() - this.#started
  }

  /** It has said something, which is about to be stored. */
  spoke(): void {
    this.first_text_at ??= new Date()
  }

  /** It has thought something, likewise. */
  thought(): void {
    if (this.#started !== null) this.reasoning_ms = Date.now() - this.#started
  }

  /** Takes over text and reasoning that are now stored. */
  publish(text: string, replace: boolean, reasoning = ''): void {
    if (replace) this.#replacements++
    this.text = replace ? text : this.text + text
    this.reasoning += reasoning
    this.#notify()
  }

  /** Tells the readers, and everybody who comes later, something that is not text. The last note is the one that counts. */
  tell(note: RunNote): void {
    this.#note = note
    this.#notify()
  }

  /** Tells the readers that nothing more comes; `reasoning` is all that was thought. */
  end(outcome: Outcome, reasoning = this.reasoning): void {
    this.reasoning = reasoning
    if (!outcome.text.startsWith(this.text)) this.#replacements++
    this.outcome = outcome
    this.text = outcome.text
    this.#notify()
  }

  /** Everything after a position, then what comes, until the end or until `signal` aborts. */
  async *read(after: Position, signal: AbortSignal): AsyncGenerator<ThoughtEvent> {
    let { text: position, reasoning: thought } = after
    // A reader that comes back cannot know which text its position was in, nor one that is beyond the end.
    let seen = position > 0 ? 0 : this.#replacements
    if (thought > this.reasoning.length) thought = 0
    if (position > this.text.length) [position, seen] = [0, -1]
    let told: RunNote | null = null
    const left = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    while (!signal.aborted) {
      const changed = this.#changed
      if (this.#note !== told) {
        told = this.#note
        if (told) yield { type: 'note', note: told }
      } else if (thought < this.reasoning.length) {
        const text = this.reasoning.slice(thought)
        thought = this.reasoning.length
        yield { type: 'reasoning', text, ms: this.reasoning_ms, position: thought }
      } else if (seen !== this.#replacements) {
        seen = this.#replacements
        position = this.text.length
        yield { type: 'text', text: this.text, replace: true, position }
      } else if (position < this.text.length) {
        const text = this.text.slice(position)
        position = this.text.length
        yield { type: 'text', text, replace: false, position }
      } else if (this.outcome) {
        yield { type: 'end', outcome: this.outcome }
        return
      } else {
        await Promise.race([changed, left])
      }
    }
  }

  #notify(): void {
    const wake = this.#wake
    this.#arm()
    wake()
  }

  #arm(): void {
    this.#changed = new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
