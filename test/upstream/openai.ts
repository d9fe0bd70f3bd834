import { countsOf, finishOf, pieces, questionOf, usageOr } from './script.ts'
import type { Script, Voice } from './script.ts'

const CREATED = 1_700_000_000

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat-streaming. */
export const openai: Voice = {
  asked(_, body) {
    const { model, messages, stream } = body as { model?: string; messages?: unknown; stream?: boolean }
    return { model: model ?? '', question: questionOf(messages), stream: stream ?? false }
  },

  *frames({ model, question }, script) {
    const { text = '', reasoning = '', tool_calls = [], chars, done = 1, cumulative = false } = script
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
    for (const [index, call] of tool_calls.entries()) {
      const begun = { name: call.name, arguments: '' }
      yield event({ tool_calls: [{ index, id: call.id, type: 'function', function: begun }] })
      for (const piece of pieces(call.arguments, chars))
        yield event({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
    const finish = finishOf(script)
    if (finish !== null) yield event({}, finish)
    const usage = usageOf(question, script)
    if (usage !== null) yield `data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`
    for (let nth = 0; nth < done; nth += 1) yield 'data: [DONE]\n\n'
  },

  whole({ model, question }, script) {
    const { text = '', reasoning, tool_calls } = script
    const calls = tool_calls?.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }))
    const message = { role: 'assistant', content: text, reasoning_content: reasoning, tool_calls: calls }
    const choices = [{ index: 0, message, finish_reason: finishOf(script) }]
    const usage = usageOf(question, script)
    return { id: 'chatcmpl-script', object: 'chat.completion', created: CREATED, model, choices, usage }
  },

  error: (status) => ({ error: { message: 'scripted', code: status } }),
}

function usageOf(question: string, script: Script): unknown {
  const { input, output } = countsOf(question, script)
  return usageOr(script, {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  })
}
