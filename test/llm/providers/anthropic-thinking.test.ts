import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import { buildAnthropicRequest } from '#server/llm/providers/anthropic/request.ts'
import { fitPrompt } from '#server/llm/prompt/fit-prompt.ts'
import { sign } from '../../world/upstream/signatures.ts'
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
  ] as const)('%s takes effort %s as %s', (model, reasoningEffort, known) => {
    expect(buildBody(model, { reasoning_effort: reasoningEffort })).toMatchObject({
      output_config: { effort: known },
    })
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

describe('reasoning that is bound to the prompt before it', () => {
  const BETA = 'thinking-binding-controls-2026-08-01'
  const messages: ChatRequest['messages'] = [
    { role: 'user', content: '?' },
    {
      role: 'assistant',
      content: '好',
      reasoning: { text: '想', signed: [{ text: '想', signature: sign('想') }] },
    },
    { role: 'user', content: '?' },
  ]
  const build = (model: string, more: Partial<ChatRequest> = {}) => {
    const target = createTarget('', { model }, {}, 'anthropic')
    const request = fitPrompt({ messages, max_tokens: 8000, ...more }, target.promptTraits).request
    const { body, headers } = buildAnthropicRequest(target, request)
    return { thinking: (body as { thinking?: object }).thinking, betas: headers['anthropic-beta'] }
  }
  const blockBinding = { prefix_mismatch_behavior: 'drop_block' }

  test.each<[string, Partial<ChatRequest>, object | undefined, string | undefined]>([
    ['claude-opus-5-5', {}, { type: 'adaptive', block_binding: blockBinding }, BETA],
    [
      'claude-fable-5-1',
      { reasoning_effort: 'high' },
      { type: 'adaptive', display: 'summarized', block_binding: blockBinding },
      BETA,
    ],
    [
      'claude-opus-5-5',
      {
        provider_options: {
          anthropic: { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } } },
          anthropic_betas: ['a', BETA],
        },
      },
      { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } },
      `a,${BETA}`,
    ],
    ['claude-opus-5-5', { messages: messages.slice(0, 1) }, undefined, undefined],
    ['claude-sonnet-5', {}, undefined, undefined],
  ])('%s with %j', (model, more, thinking, betas) => {
    expect(build(model, more)).toEqual({ thinking, betas })
  })
})

test('texts of white space are left out, and an answer that is to go on ends with a letter', () => {
  const blocks = [
    { type: 'text', text: ' \n' },
    { type: 'text', text: '好' },
  ]
  const body = buildBody('claude-sonnet-4-5', {
    messages: [
      { role: 'user', content: '?', provider_options: { anthropic: { blocks } } },
      { role: 'assistant', content: '从前 \n' },
    ],
  })
  expect(body).toMatchObject({
    messages: [{ content: [{ text: '好' }] }, { content: [{ text: '从前' }] }],
  })
})
