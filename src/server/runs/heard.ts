import { Transcript } from '../core/transcript.ts'
import type { ChatPart, JsonObject, ToolCall, Usage } from '../llm/chat.ts'

/** What a reader is told of an answer as it comes. */
export type Spoken = Extract<
  ChatPart,
  { type: 'delta' | 'replace' | 'reasoning' | 'signature' | 'tool_call' }
>

/** Reasoning that its platform signed, and where it stood: after so many characters of the text and so many calls. */
export type Thought = {
  text: string
  signature: string
  redacted?: true
  chars: number
  calls: number
}

/** What an answer is beside its text. */
export type Said = {
  reasoning: string
  /** Its signed pieces, in order. */
  thoughts?: Thought[]
  tool_calls: ToolCall[]
  /** Of the tokens of its text, in OpenAI's words, where they were asked for. */
  logprobs?: JsonObject[]
  /** Why it ended, in OpenAI's words; null unless it came whole. */
  finish: string | null
  stop_sequence?: string
}

/** Gathers what an upstream says. */
export class Heard {
  readonly text = new Transcript()
  usage: Omit<Usage, 'source'> | null = null
  /** The upstream reported usage that cannot be true. */
  flagged: string | null = null
  #finish: Extract<ChatPart, { type: 'finish' }> | null = null
  readonly #reasoning = new Transcript()
  readonly #thoughts: Thought[] = []
  readonly #logprobs: JsonObject[] = []
  /** Characters of the reasoning that are signed. */
  #signed = 0
  readonly #calls = new Map<number, { call: ToolCall; written: Transcript }>()

  take(part: ChatPart): void {
    if (part.type === 'delta') this.#add(part)
    else if (part.type === 'replace') this.text.replace(part.text)
    else if (part.type === 'reasoning') this.#reasoning.add(part.text)
    else if (part.type === 'tool_call') this.#call(part)
    else if (part.type === 'usage') this.usage = part.usage
    else if (part.type === 'usage_flagged') this.flagged = part.detail
    else if (part.type === 'signature') this.#sign(part)
    else this.#finish = part
  }

  get said(): Said {
    const tool_calls = [...this.#calls.values()].map(({ call, written }) => ({
      ...call,
      arguments: written.text,
    }))
    const { reason: finish = null, stop_sequence } = this.#finish ?? {}
    return {
      reasoning: this.#reasoning.text,
      ...(this.#thoughts.length ? { thoughts: this.#thoughts } : {}),
      ...(this.#logprobs.length ? { logprobs: this.#logprobs } : {}),
      tool_calls,
      finish,
      ...(stop_sequence === undefined ? {} : { stop_sequence }),
    }
  }

  #add({ text, logprobs }: Extract<ChatPart, { type: 'delta' }>): void {
    this.text.add(text)
    if (logprobs) this.#logprobs.push(...logprobs)
  }

  #sign({ signature, redacted }: Extract<ChatPart, { type: 'signature' }>): void {
    const text = redacted ? '' : this.#reasoning.text.slice(this.#signed)
    this.#signed += text.length
    const [chars, calls] = [this.text.text.length, this.#calls.size]
    this.#thoughts.push({ text, signature, ...(redacted ? { redacted } : {}), chars, calls })
  }

  #call({ index, id, name, arguments: text, signature }: Extract<ChatPart, { type: 'tool_call' }>): void {
    const call = { id, name, arguments: '', ...(signature ? { signature } : {}) }
    const known = this.#calls.get(index) ?? { call, written: new Transcript() }
    known.written.add(text)
    this.#calls.set(index, known)
  }
}
