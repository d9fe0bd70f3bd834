import { getContentText } from '../chat-request.ts'
import type { AudioPart, ChatRequest, ContentPart, FilePart, PromptMessage } from '../chat-request.ts'

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u
/** 1 for each code point that is one of them, else 0; later planes have none. A match would make a string of each. */
const IS_CJK = Uint8Array.from({ length: 0x4_0000 }, (_, code) =>
  Number(CJK.test(String.fromCodePoint(code))),
)
/** Models of vendors outside China, whose tokenizers split Chinese finer. */
const FOREIGN_MODEL = /^(gpt|o\d|claude|gemini|llama|mistral)/i
/** Tokens per character; DeepSeek documents 0.6 and 0.3. */
const CHINESE_RATES = { cjk: 0.6, other: 0.3 }
const FOREIGN_RATES = { cjk: 0.85, other: 0.27 }
/** Role and separators that chat templates add to each message. */
const PER_MESSAGE = 4
/** Tokens of a large image: Anthropic documents about 1,600 at most, OpenAI and Google less. */
const PER_IMAGE = 1_600
/** Tokens of a page of a PDF, its text and its picture: Anthropic documents 1,500 to 3,000. */
const PER_PAGE = 3_000
/** Bytes of a page, for a PDF that does not tell how many it has. */
const PAGE_BYTES = 50_000
/** Pages assumed for a PDF that a platform fetches by itself. */
const UNKNOWN_PAGES = 10
/** Tokens of a second of sound: Google documents 32, OpenAI 10. */
const PER_SECOND = 32
/** Fewest bytes of a second: 8,000 samples of 16 bits, or 32 kbit compressed. */
const SECOND_BYTES = { wav: 16_000, compressed: 4_000 }

/** Tells whether a model's tokenizer is a Chinese vendor's, with more Chinese words in its vocabulary. */
export const hasChineseTokenizer = (model: string): boolean => !FOREIGN_MODEL.test(model)

/**
 * Tokens of a text, estimated from its characters; at least 1 unless it is empty. For prompts and speeds, where it must be
 * cheap; bills use what the upstream reports, or else tokenizer.ts.
 */
export function estimateTokens(text: string, model: string): number {
  const estimate = new TokenEstimate()
  estimate.append(text)
  return estimate.getTokens(model)
}

/** Does the same for a text that comes in pieces, which are not kept. */
export class TokenEstimate {
  #chars = 0
  #cjk_chars = 0

  append(piece: string): void {
    this.#chars += piece.length
    this.#cjk_chars += countCjk(piece)
  }

  /** Puts the text in place of all before it. */
  replace(text: string): void {
    this.#chars = 0
    this.#cjk_chars = 0
    this.append(text)
  }

  getTokens(model: string): number {
    if (this.#chars === 0) return 0
    const rate = hasChineseTokenizer(model) ? CHINESE_RATES : FOREIGN_RATES
    return Math.max(1, Math.ceil(this.#cjk_chars * rate.cjk + (this.#chars - this.#cjk_chars) * rate.other))
  }
}

function countCjk(text: string): number {
  let cjk = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!
    cjk += IS_CJK[code] ?? 0
    if (code > 0xff_ff) at += 1
  }
  return cjk
}

/** Tokens of the whole input of a model: its prompt and its tools, as JSON. */
export function estimateInput(
  { messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>,
  model: string,
): number {
  return estimatePrompt(messages, model) + (tools ? estimateTokens(JSON.stringify(tools), model) : 0)
}

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>

/** Tokens of the messages of a prompt, estimated; images, tool calls, reasoning and further fields count too. */
export function estimatePrompt(messages: readonly PromptMessage[], model: string): number {
  return messages.reduce((sum, message) => {
    const { content, provider_options: { openai = {} } = {} } = message
    const { tool_calls: calls = [], reasoning } =
      message.role === 'assistant' ? message : ({} as Pick<AssistantMessage, 'tool_calls' | 'reasoning'>)
    const callTexts = calls.map((call) => call.name + call.arguments)
    const fieldTexts = Object.values(openai).map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    )
    const text = getContentText(content) + [...callTexts, reasoning?.text ?? '', ...fieldTexts].join('')
    const parts = typeof content === 'string' ? [] : content
    const partTokens = parts.reduce((tokens, part) => tokens + estimatePart(part), 0)
    return sum + estimateTokens(text, model) + partTokens + PER_MESSAGE
  }, 0)
}

/** Tokens of a part other than text. */
function estimatePart(part: ContentPart): number {
  if (part.type === 'text') return 0
  if (part.type === 'image') return PER_IMAGE
  return part.type === 'audio' ? estimateAudio(part) : countPages(part) * PER_PAGE
}

function estimateAudio({ format, data }: AudioPart): number {
  const secondBytes = SECOND_BYTES[format === 'wav' ? 'wav' : 'compressed']
  return Math.ceil(getByteLength(data) / secondBytes) * PER_SECOND
}

/** Counts the pages that a PDF names; where they are compressed, as many as its size makes likely. */
function countPages(file: FilePart): number {
  if ('url' in file) return UNKNOWN_PAGES
  const pageCount = Buffer.from(file.data, 'base64')
    .toString('latin1')
    .match(/\/Type\s?\/Page\b/g)?.length
  return pageCount ?? Math.ceil(getByteLength(file.data) / PAGE_BYTES)
}

const getByteLength = (base64: string): number => Math.floor((base64.length * 3) / 4)
