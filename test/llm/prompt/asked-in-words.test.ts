import { describe, expect, test } from 'vitest'
import type { ChatRequest, PromptMessage } from '#server/llm/chat-request.ts'
import type { Need } from '#server/llm/needs.ts'
import { askInWords } from '#server/llm/prompt/asked-in-words.ts'

const system = (content: string): PromptMessage => ({ role: 'system', content })

describe('what a platform cannot promise is asked for in words', () => {
  const format = { type: 'json_schema', name: 'a', schema: { type: 'object' } } as const
  const ask = (lacks: Need[], asked: Partial<ChatRequest>) =>
    askInWords({ messages: [system('甲'), { role: 'user', content: '?' }], max_tokens: 9, ...asked }, lacks)
  const words = 'Answer with one JSON object and nothing else: no words around it, no code fence.'
  const bySchema = `${words} It must match this JSON schema:\n{"type":"object"}`

  test.each<[Need[], ChatRequest['response_format'], ChatRequest['response_format'], ...string[]]>([
    [[], format, format, '甲'],
    [['json_schema'], format, { type: 'json' }, '甲', bySchema],
    [['json_schema', 'json'], format, undefined, '甲', bySchema],
    [['json'], { type: 'json' }, undefined, '甲', words],
  ])('lacking %j', (lacks, responseFormat, sent, ...instructions) => {
    const request = ask(lacks, { response_format: responseFormat })
    expect(request.response_format).toEqual(sent)
    expect(request.messages.slice(0, -1)).toEqual(instructions.map(system))
  })

  test.each<[ChatRequest['tool_choice'], string]>([
    [{ name: 'f' }, 'Call the tool f; do not answer in words.'],
    ['required', 'Call one of the tools; do not answer in words.'],
  ])('a call that must be made: %j', (toolChoice, said) => {
    const tools = [{ name: 'f', parameters: {} }]
    const anthropic = { tool_choice: { type: 'any', disable_parallel_tool_use: true }, metadata: {} }
    const request = ask(['forced_tool'], { tools, tool_choice: toolChoice, provider_options: { anthropic } })
    expect(request.provider_options?.anthropic).toEqual({
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      metadata: {},
    })
    expect([request.tool_choice, request.messages[1]]).toEqual(['auto', system(said)])
  })
})
