import { describe, expect, test } from 'vitest'
import { delta, DONE, event, finish, useRawAnswers } from '../openai-events.ts'
import { getErrorCode } from '../provider-call.ts'

// Answers of OpenAI's dialect as real servers give them, each in its own way.

const { read } = useRawAnswers()

describe('contents', () => {
  test.each<[string, object, object[]]>([
    [
      'parts of Mistral',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: '想' }] },
          { type: 'text', text: '答' },
        ],
      },
      [
        { type: 'reasoning', text: '想' },
        { type: 'delta', text: '答' },
      ],
    ],
    [
      'parts of Databricks',
      {
        content: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: '想' }] },
          { type: 'text', text: '答' },
        ],
      },
      [
        { type: 'reasoning', text: '想' },
        { type: 'delta', text: '答' },
      ],
    ],
    [
      'reasoning of OpenRouter',
      { reasoning: '想', reasoning_details: [{ text: '想' }] },
      [{ type: 'reasoning', text: '想' }],
    ],
    [
      'reasoning of MiniMax',
      { reasoning_details: [{ type: 'reasoning.text', text: '想' }] },
      [{ type: 'reasoning', text: '想' }],
    ],
    [
      'pictures of OpenRouter',
      { content: '', images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      [{ type: 'picture', url: 'data:image/png;base64,AA==' }],
    ],
  ])('%s, in a stream and whole', async (_, message, expected) => {
    const streamed = await read(delta(message), finish('stop'), DONE)
    const whole = await read(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    for (const { parts, error } of [streamed, whole]) {
      expect(error).toBeNull()
      expect(parts.filter(({ type }) => type !== 'finish')).toMatchObject(expected)
    }
  })
})

describe('why an answer ended', () => {
  test.each([
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['sensitive', 'content_filter'],
    ['SAFETY', 'content_filter'],
    ['end_turn', 'stop'],
    ['eos', 'stop'],
    ['repetition_stop', 'repetition_stop'],
  ])('%s', async (word, reason) => {
    const { parts } = await read(delta({ content: '一半' }), finish(word), DONE)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason })
  })

  test.each(['error', 'insufficient_system_resource', 'network_error', 'abort', 'MALFORMED_FUNCTION_CALL'])(
    '%s is a failure, with the text before it',
    async (word) => {
      const { text, error } = await read(delta({ content: '一半' }), finish(word), DONE)
      expect([text, getErrorCode(error)]).toEqual(['一半', 'upstream_failed'])
    },
  )
})

describe('a failure within a 200', () => {
  test.each<[string, string, string]>([
    [
      'of vLLM and SGLang',
      event({ object: 'error', message: 'KV cache full', type: 'InternalServerError', code: 50000 }),
      'upstream_failed',
    ],
    [
      'of 百炼',
      event({ code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded', request_id: 'x' }),
      'upstream_rate_limited',
    ],
    [
      'of 百炼, of the request',
      event({ code: 'InvalidParameter', message: 'Range of input length should be [1, 30720]' }),
      'context_length_exceeded',
    ],
    [
      'of 百炼, as an event',
      `event: error\n${event({ code: 'Arrearage', message: 'Access denied.' })}`,
      'upstream_rejected',
    ],
    [
      'of MiniMax, of the rate',
      event({ base_resp: { status_code: 1002, status_msg: 'rate limit' } }),
      'upstream_rate_limited',
    ],
    [
      'of MiniMax, of the balance',
      event({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
      'upstream_rejected',
    ],
    [
      'of MiniMax, of the request',
      event({ choices: null, base_resp: { status_code: 2013, status_msg: 'invalid params' } }),
      'request_rejected',
    ],
    ['of relays', event({ success: false, message: '上游无可用渠道' }), 'upstream_failed'],
    ['of FastAPI', event({ detail: 'engine is dead' }), 'upstream_failed'],
    ['in words alone', 'event: error\ndata: upstream hung up\n\n', 'upstream_failed'],
    [
      'in an object of errors',
      event({ errors: [{ message: 'no', code: 'rate_limit' }] }),
      'upstream_rate_limited',
    ],
  ])('%s', async (_, failure, code) => {
    const before = await read(failure, DONE)
    expect([before.parts, getErrorCode(before.error)]).toEqual([[], code])
    const after = await read(delta({ content: '一半' }), failure, DONE)
    expect([after.text, getErrorCode(after.error)]).toEqual(['一半', code])
  })

  test('is none where MiniMax says that all is well', async () => {
    const baseResp = { status_code: 0, status_msg: '' }
    const { text, error } = await read(
      event({ choices: [{ index: 0, delta: { content: '好' } }], base_resp: baseResp }),
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], base_resp: baseResp }),
    )
    expect([text, error]).toEqual(['好', null])
  })
})

describe('usage', () => {
  const usage = (...counts: number[]) => {
    const [promptTokens, completionTokens, totalTokens] = counts
    return event({
      choices: [],
      usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens },
    })
  }

  test('counts as thoughts what only the total tells of', async () => {
    const { parts } = await read(delta({ content: '好' }), finish('stop'), usage(100, 20, 5120), DONE)
    expect(parts).toContainEqual({
      type: 'usage',
      usage: { input: 100, output: 5020, cached: 0, reasoning: 5000 },
    })
  })

  test('of zeros does not take the place of a true one', async () => {
    const { parts } = await read(
      delta({ content: '好' }),
      finish('stop'),
      usage(9, 7, 16),
      usage(0, 0, 0),
      DONE,
    )
    expect(parts.filter(({ type }) => type.startsWith('usage'))).toEqual([
      { type: 'usage', usage: { input: 9, output: 7, cached: 0, reasoning: 0 } },
    ])
  })
})
