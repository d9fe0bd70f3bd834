import { TextBuffer } from '#server/core/text-buffer.ts'
import type { RunNote, RunResult, RunText } from './result.ts'

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

/** Of a run that this process executes: when it started (ms since 1970), and how its stream log is read. */
type Execution = { started_at_ms: number; readLog: () => Promise<RunText> }

/** UTF-16 units that are kept of a text or a reasoning: more than most have, and more than most readers are behind. */
const MAX_KEPT_UNITS = 4_000

/**
 * A run that this process executes, as its readers see it: the text that is already in the stream log. A reader keeps
 * its own position and reads what is new when it is ready, so that a slow one costs no memory and skips nothing. Of a long
 * text the end is kept; who needs more of it is given what the stream log has.
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
  readonly #execution: Execution | null
  /** How often the text was replaced as a whole. */
  #replacements = 0
  /** Counts what readers are shown, and the readers who wait for the next. */
  #changes = 0
  #waiting: (() => void)[] = []

  /** Without an execution it only follows one, and keeps the whole text. */
  constructor(runId: string, execution: Execution | null = null) {
    this.run_id = runId
    this.#execution = execution
  }

  /** All that readers are shown; null where the stream log alone has the beginning. */
  get whole(): RunText | null {
    if (this.#text.start > 0 || this.#reasoning.start > 0) return null
    return { text: this.#text.text, reasoning: this.#reasoning.text }
  }

  /** Milliseconds from the start to the first text; null where nobody knows or none came. */
  get first_text_ms(): number | null {
    if (!this.#execution || !this.first_text_at) return null
    return this.first_text_at.getTime() - this.#execution.started_at_ms
  }

  /** Milliseconds from the start until now; null where nobody knows. */
  measureDuration(): number | null {
    return this.#execution && Date.now() - this.#execution.started_at_ms
  }

  /** It has produced something, which is about to be stored. */
  markFirstOutput(): void {
    this.first_text_at ??= new Date()
  }

  /** It has produced reasoning, likewise. */
  markReasoning(): void {
    this.reasoning_ms = this.measureDuration()
  }

  /** Shows readers text and reasoning that are now stored. */
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

  /** Keeps the whole of what is shown again, as the stream log has it, for its end. */
  restore({ text, reasoning }: RunText): void {
    this.#text.replace(text)
    this.#reasoning.replace(reasoning)
  }

  /** Sends the readers, and everybody who comes later, something that is not text. The last note is the one that counts. */
  setNote(note: RunNote): void {
    this.#note = note
    this.#notifyReaders()
  }

  /** Tells the readers that nothing more comes; `reasoning` is the whole of it, null: what is shown. */
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

  /** Everything after a position, then what comes, until the end or until `signal` aborts. */
  async *read(after: StreamPosition, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let { text: position, reasoning: reasoningPosition } = after
    // A reader that comes back cannot know which text its position was in, nor one that is beyond the end.
    let seenReplacements = position > 0 ? 0 : this.#replacements
    // Who only follows the run may not have read as far yet.
    if (this.#execution && reasoningPosition > this.#reasoning.length) reasoningPosition = 0
    if (position > this.#text.length) [position, seenReplacements] = [0, -1]
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
      } else if (seenReplacements !== this.#replacements || position < this.#text.length) {
        const replacements = this.#replacements
        const replace = seenReplacements !== replacements
        const from = replace ? 0 : position
        const text = this.#getShownAfter('text', from) ?? (await this.#readLogAfter('text', from))
        // What was read of the log may be of the text before or of the one after.
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

  /** What is shown after a position; null where the stream log alone has it. */
  #getShownAfter(of: keyof RunText, position: number): string | null {
    const shown = of === 'text' ? this.#text : this.#reasoning
    return position >= shown.start ? shown.since(position) : null
  }

  /** The same of what the stream log has. Empty where it is ahead of that with a shorter text, or is gone. */
  async #readLogAfter(of: keyof RunText, position: number): Promise<string> {
    const stored = await this.#execution!.readLog()
    const shown = of === 'text' ? this.#text : this.#reasoning
    return stored[of].slice(position, shown.length)
  }

  #notifyReaders(): void {
    this.#changes++
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}
