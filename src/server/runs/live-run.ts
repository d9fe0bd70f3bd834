import { TextBuffer } from '#server/core/text-buffer.ts'
import type { RunNote, RunResult } from './result.ts'

/**
 * What a reader of a run is sent. `position` is how many characters of the text or of the reasoning (UTF-16 units) it has
 * then; `replace`: the text takes the place of all before it; `ms`: how long the reasoning took, if that is known.
 */
export type RunEvent =
  | { type: 'note'; note: RunNote }
  | { type: 'text'; text: string; replace: boolean; position: number }
  | { type: 'reasoning'; text: string; ms: number | null; position: number }
  | ({ type: 'end' } & Pick<RunResult, 'state' | 'code' | 'text' | 'retry_after' | 'rejection'>)

/** How far a reader has come, characters of the text and of the reasoning. */
export type StreamPosition = { text: number; reasoning: number }

/**
 * A run that this process executes, as its readers see it: the text that is already in the stream log. A reader keeps
 * its own position and reads what is new when it is ready, so that a slow one costs no memory and skips nothing.
 */
export class LiveRun {
  readonly run_id: string
  readonly abort = new AbortController()
  cancelled = false
  readonly #text = new TextBuffer()
  readonly #reasoning = new TextBuffer()
  /** From the start to the latest reasoning; null in a process that only follows it. */
  reasoning_ms: number | null = null
  end: Extract<RunEvent, { type: 'end' }> | null = null
  first_text_at: Date | null = null
  #note: RunNote | null = null
  readonly #started_at_ms: number | null
  /** How often the text was replaced as a whole. */
  #replacements = 0
  #resolveChange: () => void = () => {}
  #change!: Promise<void>

  /** `started`: when, of a run that this process executes itself (ms). */
  constructor(run_id: string, started: number | null = null) {
    this.run_id = run_id
    this.#started_at_ms = started
    this.#resetChange()
  }

  get text(): string {
    return this.#text.text
  }

  get reasoning(): string {
    return this.#reasoning.text
  }

  /** Milliseconds from the start to the first text; null where nobody knows or none came. */
  get first_text_ms(): number | null {
    if (this.#started_at_ms === null || !this.first_text_at) return null
    return this.first_text_at.getTime() - this.#started_at_ms
  }

  /** Milliseconds from the start until now; null where nobody knows. */
  measureDuration(): number | null {
    return this.#started_at_ms === null ? null : Date.now() - this.#started_at_ms
  }

  /** It has produced something, which is about to be stored. */
  markFirstOutput(): void {
    this.first_text_at ??= new Date()
  }

  /** It has produced reasoning, likewise. */
  markReasoning(): void {
    if (this.#started_at_ms !== null) this.reasoning_ms = Date.now() - this.#started_at_ms
  }

  /** Shows readers text and reasoning that are now stored. */
  publish(text: string, replace: boolean, reasoning = ''): void {
    if (replace) {
      this.#replacements++
      this.#text.replace(text)
    } else this.#text.append(text)
    this.#reasoning.append(reasoning)
    this.#notifyReaders()
  }

  /** Sends the readers, and everybody who comes later, something that is not text. The last note is the one that counts. */
  setNote(note: RunNote): void {
    this.#note = note
    this.#notifyReaders()
  }

  /** Tells the readers that nothing more comes; `reasoning` is the whole of it. */
  complete(
    { state, code, text, retry_after, rejection }: Omit<NonNullable<LiveRun['end']>, 'type'>,
    reasoning = this.reasoning,
  ): void {
    this.#reasoning.replace(reasoning)
    if (!text.startsWith(this.text)) this.#replacements++
    this.end = { type: 'end', state, code, text, retry_after, rejection }
    this.#text.replace(text)
    this.#notifyReaders()
  }

  /** Everything after a position, then what comes, until the end or until `signal` aborts. */
  async *read(after: StreamPosition, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let { text: position, reasoning: reasoning_position } = after
    // A reader that comes back cannot know which text its position was in, nor one that is beyond the end.
    let seen_replacements = position > 0 ? 0 : this.#replacements
    if (reasoning_position > this.#reasoning.length) reasoning_position = 0
    if (position > this.#text.length) [position, seen_replacements] = [0, -1]
    let seen_note: RunNote | null = null
    let wake = (): void => {}
    signal.addEventListener('abort', () => wake(), { once: true })
    while (!signal.aborted) {
      const change = this.#change
      if (this.#note !== seen_note) {
        seen_note = this.#note
        if (seen_note) yield { type: 'note', note: seen_note }
      } else if (reasoning_position < this.#reasoning.length) {
        const text = this.#reasoning.since(reasoning_position)
        reasoning_position = this.#reasoning.length
        yield { type: 'reasoning', text, ms: this.reasoning_ms, position: reasoning_position }
      } else if (seen_replacements !== this.#replacements) {
        seen_replacements = this.#replacements
        position = this.#text.length
        yield { type: 'text', text: this.text, replace: true, position }
      } else if (position < this.#text.length) {
        const text = this.#text.since(position)
        position = this.#text.length
        yield { type: 'text', text, replace: false, position }
      } else if (this.end) {
        yield this.end
        return
      } else {
        // No race with a promise that lives as long as the reader: it would keep something of every wait.
        await new Promise<void>((resolve) => {
          wake = resolve
          void change.then(resolve)
        })
      }
    }
  }

  #notifyReaders(): void {
    const resolveChange = this.#resolveChange
    this.#resetChange()
    resolveChange()
  }

  #resetChange(): void {
    this.#change = new Promise((resolve) => {
      this.#resolveChange = resolve
    })
  }
}
