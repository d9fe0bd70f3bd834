import { TextBuffer } from '#server/core/text-buffer.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { StreamPart, ToolCall, Usage } from '#server/llm/llm.ts'
import { ProducedText } from './produced-text.ts'
import type { ReasoningBlock, ResponseDetails } from './result.ts'

/** Gathers the parts of an upstream's response. */
export class ResponseAccumulator {
  readonly text: ProducedText
  readonly reasoning: ProducedText
  usage: Usage | null = null
  /** The reason why the upstream's reported usage cannot be true. */
  flagged: string | null = null
  #finish: Extract<StreamPart, { type: 'finish' }> | null = null
  readonly #reasoning_blocks: ReasoningBlock[] = []
  readonly #logprobs: JsonObject[] = []
  readonly #pictures: string[] = []
  readonly #annotations: JsonObject[] = []
  #refusal = ''
  /** The answers after the first by their index. */
  readonly #others = new Map<number, ResponseAccumulator>()
  /** Number of characters of the reasoning that are signed. */
  #signed_chars = 0
  readonly #calls = new Map<number, { call: ToolCall; buffer: TextBuffer }>()

  /** `isNeeded` tells whether the end of a long text or reasoning has to be kept. */
  constructor(isNeeded: () => boolean) {
    this.text = new ProducedText(isNeeded)
    this.reasoning = new ProducedText(isNeeded)
  }

  add(part: StreamPart): void {
    if (part.type === 'delta') this.#addText(part)
    else if (part.type === 'replace') this.text.replace(part.text)
    else if (part.type === 'reasoning') this.reasoning.append(part.text)
    else if (part.type === 'tool_call') this.#addToolCall(part)
    else if (part.type === 'usage') this.usage = part.usage
    else if (part.type === 'usage_flagged') this.flagged = part.detail
    else if (part.type === 'signature') this.#addSignature(part)
    else if (part.type === 'picture') this.#pictures.push(part.url)
    else if (part.type === 'annotations') this.#annotations.push(...part.annotations)
    else if (part.type === 'choice') this.#addChoice(part)
    else this.#finish = part
  }

  get details(): ResponseDetails {
    const toolCalls = [...this.#calls.values()].map(({ call, buffer }) => ({
      ...call,
      arguments: buffer.text,
    }))
    const { reason: finish = null, stop_sequence, platform_fields } = this.#finish ?? {}
    const others = [...this.#others].toSorted(([a], [b]) => a - b)
    const alternatives = others.map(([, other]) => ({ text: other.text.text, ...other.details }))
    return {
      reasoning: this.reasoning.text,
      ...(this.#reasoning_blocks.length ? { reasoning_blocks: this.#reasoning_blocks } : {}),
      ...(this.#logprobs.length ? { logprobs: this.#logprobs } : {}),
      ...(this.#refusal ? { refusal: this.#refusal } : {}),
      tool_calls: toolCalls,
      ...(this.#pictures.length ? { pictures: this.#pictures } : {}),
      finish,
      ...(stop_sequence === undefined ? {} : { stop_sequence }),
      ...(this.#annotations.length ? { annotations: this.#annotations } : {}),
      ...(platform_fields ? { platform_fields } : {}),
      ...(alternatives.length ? { alternatives } : {}),
    }
  }

  #addText({ text, logprobs, refusal }: Extract<StreamPart, { type: 'delta' }>): void {
    this.text.append(text)
    if (refusal) this.#refusal += text
    if (logprobs) this.#logprobs.push(...logprobs)
  }

  #addSignature({ signature, redacted }: Extract<StreamPart, { type: 'signature' }>): void {
    const text = redacted ? '' : this.reasoning.text.slice(this.#signed_chars)
    this.#signed_chars += text.length
    const [chars, calls] = [this.text.length, this.#calls.size]
    this.#reasoning_blocks.push({ text, signature, ...(redacted ? { redacted } : {}), chars, calls })
  }

  #addChoice({ index, part }: Extract<StreamPart, { type: 'choice' }>): void {
    const other = this.#others.get(index) ?? new ResponseAccumulator(() => true)
    this.#others.set(index, other)
    other.add(part)
  }

  #addToolCall({
    index,
    id,
    name,
    arguments: text,
    signature,
  }: Extract<StreamPart, { type: 'tool_call' }>): void {
    const call = { id, name, arguments: '', ...(signature ? { signature } : {}) }
    const entry = this.#calls.get(index) ?? { call, buffer: new TextBuffer() }
    entry.buffer.append(text)
    this.#calls.set(index, entry)
  }
}
