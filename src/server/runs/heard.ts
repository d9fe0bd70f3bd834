import type { ChatPart, ToolCall, Usage } from '../llm/chat.ts'
import { Transcript } from './transcript.ts'

/** What a reader is told of an answer as it comes. */
export type Spoken = Extract<ChatPart, { type: 'delta' | 'replace' | 'reasoning' | 'tool_call' }>

/** What an answer is beside its text. */
export type Said = {
  reasoning: string
  tool_calls: ToolCall[]
  /** Why it ended, in OpenAI's words; null unless it came whole. */
  finish: string | null
}

/** Gathers what an upstream says. */
export class Heard {
  readonly text = new Transcript()
  usage: Omit<Usage, 'source'> | null = null
  /** The upstream reported usage that cannot be true. */
  flagged: string | null = null
  #finish: string | null = null
  readonly #reasoning = new Transcript()
  readonly #calls = new Map<number, { call: ToolCall; written: Transcript }>()

  take(part: ChatPart): void {
    if (part.type === 'delta') this.text.add(part.text)
    else if (part.type === 'replace') this.text.replace(part.text)
    else if (part.type === 'reasoning') this.#reasoning.add(part.text)
    else if (part.type === 'tool_call') this.#call(part)
    else if (part.type === 'usage') this.usage = part.usage
    else if (part.type === 'usage_flagged') this.flagged = part.detail
    else this.#finish = part.reason
  }

  get said(): Said {
    const tool_calls = [...this.#calls.values()].map(({ call, written }) => ({
      ...call,
      arguments: written.text,
    }))
    return { reasoning: this.#reasoning.text, tool_calls, finish: this.#finish }
  }

  #call({ index, id, name, arguments: text, signature }: Extract<ChatPart, { type: 'tool_call' }>): void {
    const call = { id, name, arguments: '', ...(signature ? { signature } : {}) }
    const known = this.#calls.get(index) ?? { call, written: new Transcript() }
    known.written.add(text)
    this.#calls.set(index, known)
  }
}
