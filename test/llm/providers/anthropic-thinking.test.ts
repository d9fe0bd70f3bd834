import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import { buildAnthropicRequest } from '#server/llm/providers/anthropic/request.ts'
import { createTarget } from '../provider-call.ts'
import { CONVERSATION, TOOLS } from '../sample-conversation.ts'

const buildBody = (model: string, more: Partial<ChatRequest>): object =>
  buildAnthropicRequest(createTarget('', { model }), {
    messages: [{ role: 'user', content: '?' }],
    max_tokens: 8000,
    ...more,
  }).body

describe('thinking and sampling, by version', () => {
  const effort = { reasoning_effort: 'high', temperature: 1.5 } as const

  test.each([
    ['claude-sonnet-4-5-20250929', { thinking: { type: 'enabled', budget_tokens: 4000 } }],
    ['claude-opus-4-20250514', { thinking: { type: 'enabled', budget_tokens: 4000 } }],
    ['kimi-k2', { thinking: { type: 'enabled', budget_tokens: 4000 } }],
    [
      'claude-opus-4-6',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
  ])('%s thinks when asked to, and then is not sampled', (model, thinking) => {
    const body = buildBody(model, effort)
    expect(body).toMatchObject(thinking)
    expect(body).not.toHaveProperty('temperature')
  })

  test.each([
    ['claude-opus-4-6', 'minimal', 'low'],
    ['claude-opus-4-6', 'xhigh', 'high'],
    ['claude-opus-4-6', 'max', 'max'],
    ['claude-opus-4-7', 'xhigh', 'xhigh'],
  ] as const)('%s takes effort %s as %s', (model, reasoning_effort, known) => {
    expect(buildBody(model, { reasoning_effort })).toMatchObject({ output_config: { effort: known } })
  })

  test.each<[string, Partial<ChatRequest>]>([
    ['no effort', {}],
    ['effort none', { reasoning_effort: 'none' }],
    ['a forced tool', { ...effort, tools: TOOLS, tool_choice: 'required' }],
    ['too little room', { ...effort, max_tokens: 2000 }],
    ['results of tools', { ...effort, messages: CONVERSATION.messages.slice(0, 5) }],
  ])('%s: no thinking', (_, more) => {
    expect(buildBody('claude-sonnet-4-5', more)).not.toHaveProperty('thinking')
  })

  test.each([
    ['claude-3-5-haiku-latest', { temperature: 1 }],
    ['claude-opus-4-6', { temperature: 1 }],
    ['claude-opus-4-7', {}],
  ])('%s without thinking is sampled as it allows', (model, sampling) => {
    const { temperature } = buildBody(model, { temperature: 1.5 }) as { temperature?: number }
    expect(temperature === undefined ? {} : { temperature }).toEqual(sampling)
  })
})
