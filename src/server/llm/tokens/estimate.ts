import { getContentText } from '../chat.ts'
import type { ChatRequest, PromptMessage } from '../chat.ts'

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u
/** Whether a code point is one of them, 1 or 0. Those after these planes are none. A match makes a string of each. */
const IS_CJK = Uint8Array.from({ length: 0x4_0000 }, (_, code) =>
  Number(CJK.test(String.fromCodePoint(code))),
)
/** Tokens per character. Chinese makers' tokenizers: DeepSeek's documents name 0.6 and 0.3. Others split Chinese finer. */
const CHINESE_MAKER = { cjk: 0.6, other: 0.3 }
const OTHER_MAKER = { cjk: 0.85, other: 0.27 }
/** Role and separators that chat templates put around each message. */
const PER_MESSAGE = 4
/** Of a large picture: Anthropic's documents name about 1,600 at most, OpenAI's and Google's less. */
const PER_IMAGE = 1_600

/**
 * Tokens of a text, estimated by its characters; at least 1 unless it is empty. For prompts and speeds, where it must
 * cost nothing; a bill is made from what the upstream reports, or else from tokenizer.ts.
 */
export function estimateTokens(text: string, model: string): number {
  if (!text) return 0
  const rate = /^(gpt|o\d|claude|gemini|llama|mistral)/i.test(model) ? OTHER_MAKER : CHINESE_MAKER
  const cjk_chars = countCjk(text)
  return Math.max(1, Math.ceil(cjk_chars * rate.cjk + (text.length - cjk_chars) * rate.other))
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

/** Tokens of all that a model is given: its prompt and its tools, as JSON. */
export function estimateInput(
  { messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>,
  model: string,
): number {
  return estimatePrompt(messages, model) + (tools ? estimateTokens(JSON.stringify(tools), model) : 0)
}

/** Tokens of the messages of a prompt, estimated; its pictures, the calls of tools, thoughts that are sent back and what is passed on count too. */
export function estimatePrompt(messages: readonly PromptMessage[], model: string): number {
  return messages.reduce((sum, message) => {
    const { content, blocks = [], passed_on = {} } = message
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    const thoughts = blocks.map(({ thinking }) => (typeof thinking === 'string' ? thinking : ''))
    const call_texts = calls.map((call) => call.name + call.arguments)
    const texts = Object.values(passed_on).map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    )
    const text = getContentText(content) + [...call_texts, ...thoughts, ...texts].join('')
    const images = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image')
    return sum + estimateTokens(text, model) + images.length * PER_IMAGE + PER_MESSAGE
  }, 0)
}
