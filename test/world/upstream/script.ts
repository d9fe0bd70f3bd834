import { createHash } from 'node:crypto'

/**
 * The course of one call of the scripted upstream, in the terms of OpenAI: the other dialects translate. Frames are counted from
 * 0: the role first, then each piece of reasoning, text and tool calls.
 */
export type Script = {
  /** Only for calls whose body contains this, for agents that work side by side; other calls skip the script. */
  when?: string
  text?: string
  /** Makes the text from the question. */
  reply?: (question: string) => string
  /** Sent before the text. */
  reasoning?: string
  /** Sent after the text. */
  tool_calls?: ScriptedCall[]
  /** Characters of a piece; default 8. */
  chars?: number
  /** Pause after each frame. */
  every_ms?: number
  /** Pause before the status line. */
  delay_ms?: number
  /** Default: a truthful one. `null` reports none; any other value is sent as it is, in the dialect's own form. */
  usage?: unknown
  /** Default `stop`, or `tool_calls`; `null` sends none. */
  finish?: string | null
  /** Number of `[DONE]` (OpenAI) or `message_stop` (Anthropic) at the end of the stream; default 1. */
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
  /** For a call besides chat: fields that replace the double's own. */
  answer?: object
  /** For speech: bytes of sound; default 16,000, in pieces of 4,000. */
  sound?: number
}

/** Only Gemini sends `signature`; default: one of its own for the first call. */
export type ScriptedCall = { id: string; name: string; arguments: string; signature?: string }

/** A request to an upstream, in any dialect. */
export type ScriptedRequest = {
  model: string
  question: string
  stream: boolean
  /** The prompt's part in the signature of a thought in the answer. */
  binding?: Buffer
}

/** A picture as a platform receives it, decoded. */
export type ReceivedPicture = { media_type: string; size: number; md5: string }

/** A dialect as the scripted upstream speaks it. */
export type ProtocolDouble = {
  parseRequest(path: string, body: unknown): ScriptedRequest
  /** The pictures of a chat, in their order. */
  listPictures?(body: unknown): ReceivedPicture[]
  /** The events of a streamed answer, each with its blank line. */
  renderFrames(asked: ScriptedRequest, script: Script): Iterable<string | Buffer>
  /** Default: an event stream. */
  media_type?: string
  /** The same answer as one object. */
  renderBody(asked: ScriptedRequest, script: Script): object
  /** The body of an error. */
  renderError(status: number): object
}

/** Returns plausible counts. */
export function countTokens(question: string, { text = '', reasoning = '', tool_calls = [] }: Script) {
  const output = text + tool_calls.map((call) => call.arguments).join('')
  return {
    input: question.length + 4,
    output: Math.max(1, Math.ceil(output.length * 0.6)),
    reasoning: Math.ceil(reasoning.length * 0.6),
  }
}

/** Returns the usage to report: the script's own, or `truth`; null for none. */
export function resolveUsage<Truth>({ usage }: Script, truth: Truth): unknown {
  return usage === undefined ? truth : usage
}

/** Returns the reason why the answer ends; null to leave it out. */
export function resolveFinishReason({ finish, tool_calls }: Script): string | null {
  return finish === undefined ? (tool_calls ? 'tool_calls' : 'stop') : finish
}

export function* splitText(text: string, chars = 8): Generator<string> {
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at += chars) yield characters.slice(at, at + chars).join('')
}

/** Decodes a picture as strictly as platforms do: only letters of base64, and padded. */
export function decodePicture(mediaType: string, base64: string): ReceivedPicture {
  const bytes = Buffer.from(base64, 'base64')
  const isWhole = base64.length === Math.ceil(bytes.length / 3) * 4
  const md5 = isWhole ? createHash('md5').update(bytes).digest('hex') : 'no base64'
  return { media_type: mediaType, size: bytes.length, md5 }
}

/** Lists the parts of all messages, in order. */
export const listParts = <Part>(messages: { content?: unknown; parts?: unknown }[]): Part[] =>
  messages.flatMap(({ content, parts = content }) => (Array.isArray(parts) ? (parts as Part[]) : []))

type SentMessage = { role?: string; content?: unknown; parts?: unknown }

/** Returns the text of the user's last message; the content is a text, or parts some of which have one. */
export function getQuestion(messages: unknown): string {
  const list = Array.isArray(messages) ? (messages as SentMessage[]) : []
  const message = list.findLast(({ role }) => role === 'user')
  const content = message?.content ?? message?.parts ?? ''
  if (typeof content === 'string') return content
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('')
}
