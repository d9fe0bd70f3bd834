/** How one call of the scripted upstream goes. Frames are counted from 0: the role first, then each piece of text. */
export type Script = {
  text?: string
  /** Sent before the text, as `reasoning_content`. */
  reasoning?: string
  /** Characters of a piece; default 8. */
  chars?: number
  /** Pause after each frame. */
  every_ms?: number
  /** Pause before the status line. */
  delay_ms?: number
  /** Default: a truthful one. `null` reports none; anything else is sent as it is. */
  usage?: unknown
  /** Default `stop`; `null` sends none. */
  finish?: string | null
  /** How many `[DONE]` end the stream; default 1. */
  done?: number
  /** Each piece carries the whole text so far. */
  cumulative?: boolean
  /** Waits for `release()`: before the headers, after them, or before frame n. */
  stall?: 'headers' | 'body' | number
  /** Hangs up within frame n, inside a character where it has one of several bytes. */
  cut?: number
  /** Answers with this status and `body` instead. */
  status?: number
  headers?: Record<string, string>
  body?: string
  /** The exact bytes of the stream, instead of all the above. */
  raw?: (string | Buffer)[]
  /** Ignores `stream: true` and answers with one JSON object. */
  json?: boolean
}

const CREATED = 1_700_000_000

/** A usage that could be true. */
export function usageOf(question: string, text: string): object {
  const prompt_tokens = question.length + 4
  const completion_tokens = Math.max(1, Math.ceil(text.length * 0.6))
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

/** The events of a streamed answer, each with its blank line. */
export function* frames(model: string, script: Script, usage: unknown): Generator<string> {
  const { text = '', reasoning = '', chars = 8, finish = 'stop', done = 1, cumulative = false } = script
  const base = { id: 'chatcmpl-script', object: 'chat.completion.chunk', created: CREATED, model }
  const event = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason }] })}\n\n`

  yield event({ role: 'assistant', content: '' })
  for (const piece of pieces(reasoning, chars)) yield event({ reasoning_content: piece })
  let sofar = ''
  for (const piece of pieces(text, chars)) {
    sofar += piece
    yield event({ content: cumulative ? sofar : piece })
  }
  if (finish !== null) yield event({}, finish)
  if (usage !== null) yield `data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`
  for (let nth = 0; nth < done; nth += 1) yield 'data: [DONE]\n\n'
}

/** The same answer as one object. */
export function completion(model: string, { text = '', finish = 'stop' }: Script, usage: unknown): object {
  const message = { role: 'assistant', content: text }
  const choices = [{ index: 0, message, finish_reason: finish }]
  return { id: 'chatcmpl-script', object: 'chat.completion', created: CREATED, model, choices, usage }
}

function* pieces(text: string, chars: number): Generator<string> {
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at += chars) yield characters.slice(at, at + chars).join('')
}
