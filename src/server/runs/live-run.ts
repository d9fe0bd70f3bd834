import type { ErrorCode } from '#contract/errors.ts'

/** How a run ended. `text` is all that it said; what readers saw and what is stored are the same. */
export type Outcome = {
  state: 'done' | 'cancelled' | 'failed' | 'interrupted'
  /** Why, of one that failed or was interrupted. */
  code: ErrorCode | null
  text: string
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

/**
 * A run that this process drives, as its readers see it: the text that is already in the stream log. A reader keeps
 * its own position and takes what is new when it is ready, so that a slow one costs no memory and skips nothing.
 */
export class LiveRun {
  readonly run_id: string
  readonly abort = new AbortController()
  cancelled = false
  text = ''
  outcome: Outcome | null = null
  first_text_at: Date | null = null
  #note: RunNote | null = null
  /** How often the text was replaced as a whole. */
  #replacements = 0
  #wake: () => void = () => {}
  #changed!: Promise<void>

  constructor(run_id: string) {
    this.run_id = run_id
    this.#arm()
  }

  /** Takes over text that is now stored. */
  publish(text: string, replace: boolean): void {
    if (replace) this.#replacements++
    this.first_text_at ??= new Date()
    this.text = replace ? text : this.text + text
    this.#notify()
  }

  /** Tells the readers, and everybody who comes later, something that is not text. The last note is the one that counts. */
  tell(note: RunNote): void {
    this.#note = note
    this.#notify()
  }

  /** Tells the readers that nothing more comes. */
  end(outcome: Outcome): void {
    if (!outcome.text.startsWith(this.text)) this.#replacements++
    if (outcome.text) this.first_text_at ??= new Date()
    this.outcome = outcome
    this.text = outcome.text
    this.#notify()
  }

  /** Everything after `after` characters, then what comes, until the end or until `signal` aborts. */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let position = after
    // A reader that comes back cannot know which text its position was in, nor one that is beyond the end.
    let seen = after > 0 ? 0 : this.#replacements
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
