import { TextBuffer } from '#server/core/text-buffer.ts'
import type { RunNote, RunResult, RunText } from './result.ts'

/**
 * An event for a reader of a run. `position`: how many characters of the text or the reasoning (UTF-16 units) it has after the
 * event; `replace`: the text replaces everything before; `ms`: how long the reasoning took, if known.
 */
export type RunEvent =
  | { type: 'note'; note: RunNote }
  | { type: 'text'; text: string; replace: boolean; position: number }
  | { type: 'reasoning'; text: string; ms: number | null; position: number }
  | ({ type: 'end' } & Pick<RunResult, 'state' | 'code' | 'text' | 'retry_after' | 'rejection'>)

/** A reader's position in the text and in the reasoning, UTF-16 units. */
export type StreamPosition = { text: number; reasoning: number }

/** Execution by this process: its start (ms since 1970), and how to read the stream log. */
type Execution = { started_at_ms: number; readLog: () => Promise<RunText> }

/** UTF-16 units kept of a text or a reasoning: most are shorter, and most readers are less far behind. */
const MAX_KEPT_UNITS = 4_000

/**
 * A run that this process executes, as its readers see it: the text that is already in the stream log. A reader keeps its own
 * position and reads the new text when it is ready, so that a slow one costs no memory and skips nothing. Only the end of a long
 * text is kept; a reader that needs more gets it from the stream log.
 */
export class LiveRun {
  readonly run_id: string
  readonly abort = new AbortController()
  cancelled = false
  readonly #text = new TextBuffer()
  readonly #reasoning = new TextBuffer()
  /** From the start to the latest reasoning, ms; null in a process that only follows the run. */
  reasoning_ms: number | null = null
  end: Extract<RunEvent, { type: 'end' }> | null = null
  first_text_at: Date | null = null
  #note: RunNote | null = null
  readonly #execution: Execution | null
  /** Number of times that the text was replaced as a whole. */
  #replacements = 0
  /** Counts changes for readers; `#waiting` has the readers who wait for the next. */
  #changes = 0
  #waiting: (() => void)[] = []

  /** Without an execution it only follows the run of another process, and keeps the whole text. */
  constructor(runId: string, execution: Execution | null = null) {
    this.run_id = runId
    this.#execution = execution
  }

  /** Everything that readers see; null when only the stream log has the beginning. */
  get whole(): RunText | null {
    if (this.#text.start > 0 || this.#reasoning.start > 0) return null
    return { text: this.#text.text, reasoning: this.#reasoning.text }
  }

  /** Milliseconds from the start to the first text; null if unknown, or without text. */
  get first_text_ms(): number | null {
    if (!this.#execution || !this.first_text_at) return null
    return this.first_text_at.getTime() - this.#execution.started_at_ms
  }

  /** Returns the milliseconds since the start; null if unknown. */
  measureDuration(): number | null {
    return this.#execution && Date.now() - this.#execution.started_at_ms
  }

  /** Notes that output was produced, which is about to be stored. */
  markFirstOutput(): void {
    this.first_text_at ??= new Date()
  }

  /** Notes that reasoning was produced, likewise. */
  markReasoning(): void {
    this.reasoning_ms = this.measureDuration()
  }

  /** Shows readers text and reasoning that have been stored. */
  publish(text: string, replace: boolean, reasoning = ''): void {
    if (replace) {
      this.#replacements++
      this.#text.replace(text)
    } else this.#text.append(text)
    this.#reasoning.append(reasoning)
    if (this.#execution) {
      this.#text.keepLast(MAX_KEPT_UNITS)
      this.#reasoning.keepLast(MAX_KEPT_UNITS)
    }
    this.#notifyReaders()
  }

  /** Restores the whole text and reasoning from the stream log, for the end of the run. */
  restore({ text, reasoning }: RunText): void {
    this.#text.replace(text)
    this.#reasoning.replace(reasoning)
  }

  /** Sends a note to the readers, later ones included. The last note counts. */
  setNote(note: RunNote): void {
    this.#note = note
    this.#notifyReaders()
  }

  /** Tells the readers that nothing more comes; `reasoning` is the whole of it, null: as shown so far. */
  complete(
    { state, code, text, retry_after, rejection }: Omit<NonNullable<LiveRun['end']>, 'type'>,
    reasoning: string | null = null,
  ): void {
    if (reasoning !== null) this.#reasoning.replace(reasoning)
    if (!text.startsWith(this.#text.text)) this.#replacements++
    this.end = { type: 'end', state, code, text, retry_after, rejection }
    this.#text.replace(text)
    this.#notifyReaders()
  }

  /** Yields everything after a position, then new events, until the end or until `signal` aborts. */
  async *read(after: StreamPosition, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let { text: position, reasoning: reasoningPosition } = after
    // A returning reader may have read a text that was replaced since.
    let seenReplacements = position > 0 ? 0 : this.#replacements
    // A process that only follows the run may not have read as far yet.
    if (this.#execution && reasoningPosition > this.#reasoning.length) reasoningPosition = 0
    const isBeyondText = () => (this.#execution ?? this.end) !== null && position > this.#text.length
    let seenNote: RunNote | null = null
    let wake = (): void => {}
    signal.addEventListener('abort', () => wake(), { once: true })
    const waitForChange = (since: number): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted || since !== this.#changes) return resolve()
        wake = resolve
        this.#waiting.push(resolve)
      })
    while (!signal.aborted) {
      const changes = this.#changes
      if (this.#note !== seenNote) {
        seenNote = this.#note
        if (seenNote) yield { type: 'note', note: seenNote }
      } else if (reasoningPosition < this.#reasoning.length) {
        const text =
          this.#getShownAfter('reasoning', reasoningPosition) ??
          (await this.#readLogAfter('reasoning', reasoningPosition))
        reasoningPosition += text.length
        if (text) yield { type: 'reasoning', text, ms: this.reasoning_ms, position: reasoningPosition }
        else await waitForChange(changes)
      } else if (seenReplacements !== this.#replacements || position < this.#text.length || isBeyondText()) {
        const replacements = this.#replacements
        const replace = seenReplacements !== replacements || isBeyondText()
        const from = replace ? 0 : position
        const text = this.#getShownAfter('text', from) ?? (await this.#readLogAfter('text', from))
        // The log's text may be from before or after the replacement.
        if (replacements !== this.#replacements) continue
        seenReplacements = replacements
        position = replace ? text.length : position + text.length
        if (text || replace) yield { type: 'text', text, replace, position }
        else await waitForChange(changes)
      } else if (this.end) {
        yield this.end
        return
      } else await waitForChange(changes)
    }
  }

  /** Returns the text after a position; null when only the stream log has it. */
  #getShownAfter(of: keyof RunText, position: number): string | null {
    const shownText = of === 'text' ? this.#text : this.#reasoning
    return position >= shownText.start ? shownText.since(position) : null
  }

  /** Reads it from the stream log. Empty when the log already has a shorter text, or is gone. */
  async #readLogAfter(of: keyof RunText, position: number): Promise<string> {
    const log = await this.#execution!.readLog()
    const shownText = of === 'text' ? this.#text : this.#reasoning
    return log[of].slice(position, shownText.length)
  }

  #notifyReaders(): void {
    this.#changes++
    const resumers = this.#waiting
    this.#waiting = []
    for (const resume of resumers) resume()
  }
}
