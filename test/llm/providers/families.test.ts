import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findFamily, getThinkingMode, toKnownEffort } from '#server/llm/catalogue/families.ts'
import { parseCatalogue } from '#server/llm/catalogue/models-file.ts'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import { buildOpenaiRequest } from '#server/llm/providers/openai/request.ts'
import { createRequest, createTarget } from '../provider-call.ts'

const { platforms } = parseCatalogue(readFileSync('config/models.json', 'utf8'))

const getFamily = (platform: string, model: string) =>
  findFamily(
    platforms.find(({ name }) => name === platform)!,
    model,
  )

/** Builds the request body for a model on a platform of the project's file. */
function buildBody(platform: string, model: string, more: Partial<ChatRequest> = {}) {
  const family = getFamily(platform, model)
  const target = createTarget('', { model, family, fields: family.fields })
  return buildOpenaiRequest(target, { ...createRequest('?'), ...more }).body as Record<string, unknown>
}

const TOOLS = [{ name: 'time', parameters: {} }]

describe('thinking', () => {
  test.each<[string, string, ChatRequest['reasoning_effort'], object]>([
    ['deepseek', 'deepseek-flash', 'medium', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['deepseek', 'deepseek-flash', 'none', { thinking: { type: 'disabled' } }],
    ['dashscope', 'qwen-plus', 'low', { enable_thinking: true, thinking_budget: 2048 }],
    ['dashscope', 'qwen-plus', 'max', { enable_thinking: true, thinking_budget: 38_912 }],
    ['dashscope', 'qwen-plus', 'none', { enable_thinking: false }],
    ['dashscope', 'qwen3.8-max', 'high', { reasoning_effort: 'xhigh' }],
    ['dashscope', 'qwen3.8-max', 'none', { reasoning_effort: 'none' }],
    ['dashscope', 'qwen-long', 'high', {}],
    ['zhipu', 'glm-5.3', 'none', { reasoning_effort: 'low' }],
    ['moonshot', 'kimi-k3', 'xhigh', { reasoning_effort: 'high' }],
    ['volcengine', 'doubao-seed-2-1-pro', 'none', { thinking: { type: 'disabled' } }],
    ['minimax', 'MiniMax-M3', 'high', { thinking: { type: 'adaptive' }, reasoning_split: true }],
    ['minimax', 'MiniMax-M2.7', 'none', { reasoning_split: true }],
    ['xai', 'grok-4.7', 'medium', { reasoning_effort: 'high' }],
    ['openai', 'gpt-4.1', 'high', {}],
    ['openai', 'gpt-6-sol', 'max', { reasoning_effort: 'max' }],
  ])('%s %s with effort %s', (platform, model, reasoningEffort, fields) => {
    const { thinking, enable_thinking, thinking_budget, reasoning_split, ...body } = buildBody(
      platform,
      model,
      {
        reasoning_effort: reasoningEffort,
      },
    )
    const sent = {
      thinking,
      enable_thinking,
      thinking_budget,
      reasoning_split,
      effort: body['reasoning_effort'],
    }
    const { reasoning_effort: effort, ...others } = fields as Record<string, unknown>
    expect(JSON.parse(JSON.stringify(sent))).toEqual(JSON.parse(JSON.stringify({ ...others, effort })))
  })

  test('what a caller says in the platform’s own words comes before what is added', () => {
    const request = {
      provider_options: { openai: { enable_thinking: true, parallel_tool_calls: false } },
      tools: TOOLS,
    }
    const body = buildBody('dashscope', 'qwen-plus', { ...request, reasoning_effort: 'none' })
    expect(body).toMatchObject({ enable_thinking: true, parallel_tool_calls: false })
    expect(buildBody('dashscope', 'qwen-plus', { tools: TOOLS })).toMatchObject({ parallel_tool_calls: true })
  })

  test.each([
    ['deepseek', 'deepseek-flash', 'switch'],
    ['dashscope', 'qwen3.8-max', 'switch'],
    ['zhipu', 'glm-5.3', 'always'],
    ['moonshot', 'moonshot-v1-128k', null],
    ['openai', 'gpt-6-astra', 'always'],
    ['anthropic', 'claude-opus-5-5', 'always'],
    ['anthropic', 'claude-sonnet-4-5', 'switch'],
    ['gemini', 'gemini-2.5-flash', 'switch'],
    ['gemini', 'gemini-2.5-pro', 'always'],
  ])('of %s %s: %s', (platform, model, mode) => {
    expect(getThinkingMode(getFamily(platform, model))).toBe(mode)
  })

  test.each([
    ['minimal', ['low', 'high', 'max'], 'low'],
    ['medium', ['low', 'high', 'max'], 'high'],
    ['xhigh', ['low', 'high', 'max'], 'high'],
    ['max', ['minimal', 'low', 'medium', 'high'], 'high'],
    ['low', ['none', 'high'], 'high'],
    ['none', ['none', 'high'], 'none'],
    ['none', ['low', 'high'], 'low'],
  ] as const)('effort %s of %j is %s', (effort, known, nearest) => {
    expect(toKnownEffort(effort, known)).toBe(nearest)
  })
})

describe('a request', () => {
  const sampled = { temperature: 0.5, top_p: 0.9, top_k: 5, stop_sequences: ['x'], seed: 1 }

  test('leaves out what a model refuses, and bounds the answer by its own field', () => {
    const kimi = buildBody('moonshot', 'kimi-k3', sampled)
    expect(kimi).toMatchObject({ max_completion_tokens: 1000, stop: ['x'], seed: 1 })
    for (const name of ['temperature', 'top_p', 'top_k', 'max_tokens']) expect(kimi[name]).toBeUndefined()
    const mistral = buildBody('mistral', 'mistral-large-4', sampled)
    expect(mistral).toMatchObject({ max_tokens: 1000, temperature: 0.5 })
    for (const name of ['seed', 'stream_options']) expect(mistral[name]).toBeUndefined()
  })

  test('with tools has what the model wants with them, and instructions in the role that it knows', () => {
    const messages = [
      { role: 'system' as const, content: '简短' },
      { role: 'user' as const, content: '?' },
    ]
    const body = buildBody('openai', 'gpt-6-sol', { messages, tools: TOOLS, reasoning_effort: 'high' })
    expect(body).toMatchObject({
      reasoning_effort: 'none',
      messages: [{ role: 'developer' }, { role: 'user' }],
    })
  })

  test('says of an answer that is to be continued that it is, where the platform wants to be told', () => {
    const messages = [
      { role: 'user' as const, content: '写诗' },
      { role: 'assistant' as const, content: '半亩' },
    ]
    expect(buildBody('dashscope', 'qwen-max', { messages })['messages']).toEqual([
      { role: 'user', content: '写诗' },
      { role: 'assistant', content: '半亩', partial: true },
    ])
    expect(buildBody('volcengine', 'doubao-seed-2-1-pro', { messages })['messages']).toEqual(messages)
  })
})
