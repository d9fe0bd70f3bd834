import {
  countTokens,
  decodePicture,
  getQuestion,
  listParts,
  resolveFinishReason,
  resolveUsage,
  splitText,
} from './script.ts'
import type { Script, ProtocolDouble } from './script.ts'

const CREATED = 1_700_000_000

type Thought = {
  reasoning_content?: string
  reasoning?: string
  reasoning_details?: object[]
  content?: object[]
}

/** Puts a thought, or a piece of one, into a platform's own fields: OpenAI's dialect has none. */
function renderThought(platform: string, text: string): Thought {
  const details = (id: string, format: string) => [{ type: 'reasoning.text', id, format, index: 0, text }]
  if (platform === 'minimax') return { reasoning_details: details('reasoning-text-1', 'MiniMax-response-v1') }
  if (platform === 'openrouter') return { reasoning: text, reasoning_details: details('', 'unknown') }
  if (platform === 'mistral') return { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }
  return { reasoning_content: text }
}

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat-streaming. */
export const createOpenaiDouble = (platform: string): ProtocolDouble => ({
  parseRequest(_, body) {
    const { model, messages, stream } = body as { model?: string; messages?: unknown; stream?: boolean }
    return { model: model ?? '', question: getQuestion(messages), stream: stream ?? false }
  },

  listPictures: (body) =>
    listParts<{ image_url?: { url: string } }>((body as { messages: object[] }).messages).flatMap(
      ({ image_url: { url } = { url: '' } }) => {
        const [, mediaType, base64] = /^data:([^;]+);base64,([^]*)$/.exec(url) ?? []
        return mediaType === undefined ? [] : decodePicture(mediaType, base64!)
      },
    ),

  *renderFrames({ model, question }, script) {
    const { text = '', reasoning = '', tool_calls = [], chars, done = 1, cumulative = false } = script
    const base = { id: 'chatcmpl-script', object: 'chat.completion.chunk', created: CREATED, model }
    const event = (delta: object, finishReason: string | null = null): string =>
      `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`

    yield event({ role: 'assistant', content: '' })
    for (const piece of splitText(reasoning, chars)) yield event(renderThought(platform, piece))
    let sofar = ''
    for (const piece of splitText(text, chars)) {
      sofar += piece
      yield event({ content: cumulative ? sofar : piece })
    }
    for (const [index, call] of tool_calls.entries()) {
      const begun = { name: call.name, arguments: '' }
      yield event({ tool_calls: [{ index, id: call.id, type: 'function', function: begun }] })
      for (const piece of splitText(call.arguments, chars))
        yield event({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
    const finish = resolveFinishReason(script)
    if (finish !== null) yield event({}, finish)
    const usage = createUsage(question, script)
    if (usage !== null) yield `data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`
    for (let index = 0; index < done; index += 1) yield 'data: [DONE]\n\n'
  },

  renderBody({ model, question }, script) {
    const { text = '', reasoning, tool_calls } = script
    const calls = tool_calls?.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }))
    const { content: thoughts, ...thought } = reasoning ? renderThought(platform, reasoning) : {}
    const content = thoughts ? [...thoughts, { type: 'text', text }] : text
    const message = { role: 'assistant', content, ...thought, tool_calls: calls }
    const choices = [{ index: 0, message, finish_reason: resolveFinishReason(script) }]
    const usage = createUsage(question, script)
    return { id: 'chatcmpl-script', object: 'chat.completion', created: CREATED, model, choices, usage }
  },

  renderError: (status) => ({ error: { message: 'scripted', code: status } }),
})

export const openai = createOpenaiDouble('openai-compatible')

function createUsage(question: string, script: Script): unknown {
  const { input, output } = countTokens(question, script)
  return resolveUsage(script, {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  })
}
