import { describe, expect, test } from 'vitest'
import { ANTHROPIC_CASES } from './cases/anthropic.ts'
import { CHAT_CASES } from './cases/chat.ts'
import { GEMINI_CASES, OPERATION_CASES } from './cases/others.ts'
import { SERVER_CASES, VENDOR_CASES } from './cases/vendors.ts'
import { PLATFORMS } from './platforms.ts'
import { findRefusal, resolvePlatform } from './refusals.ts'

const CHAT = '/v1/chat/completions'
const CASES = [
  ...CHAT_CASES,
  ...VENDOR_CASES,
  ...SERVER_CASES,
  ...ANTHROPIC_CASES,
  ...GEMINI_CASES,
  ...OPERATION_CASES,
]

test.each(CASES)('$platform refuses by $rule', ({ platform, rule, path = CHAT, refused, taken }) => {
  expect(findRefusal(platform, path, refused)?.rule).toBe(rule)
  expect(findRefusal(platform, path, taken)).toBeNull()
})

test('each rule has a case, and a source that can be read', () => {
  const names = new Map<object, string>()
  for (const [platform, { chat, embeddings = [], rerank = [] }] of Object.entries(PLATFORMS)) {
    for (const rule of [...chat, ...embeddings, ...rerank]) names.set(rule, `${platform} ${rule.name}`)
  }
  for (const { platform, rule, path = CHAT } of CASES) {
    const {
      chat,
      embeddings = [],
      rerank = [],
    } = PLATFORMS[path === '/v1/messages' && platform !== 'anthropic' ? 'anthropic-compatible' : platform]!
    for (const one of [...chat, ...embeddings, ...rerank]) if (one.name === rule) names.delete(one)
  }
  expect([...names.values()]).toEqual([])
})

test('a source is an address, read on a day', () => {
  for (const { chat, embeddings = [], rerank = [] } of Object.values(PLATFORMS)) {
    for (const { source, read } of [...chat, ...embeddings, ...rerank]) {
      expect(source).toMatch(/^https:\/\/[^ ]+$/)
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  }
})

test.each([
  ['/moonshot/v1/chat/completions', 'moonshot'],
  ['/v1/chat/completions', 'openai-compatible'],
  ['/v1/messages', 'anthropic'],
  ['/v1/models/gemini-3-pro:streamGenerateContent?alt=sse', 'gemini'],
  ['/v1/embeddings', 'openai-compatible'],
])('%s is of %s', (path, platform) => {
  expect(resolvePlatform(path)).toBe(platform)
})

describe('a refusal in the words of', () => {
  const answered = (platform: string, rule: string) => {
    const found = CASES.find((one) => one.platform === platform && one.rule === rule)!
    return findRefusal(platform, found.path ?? CHAT, found.refused)
  }

  test.each([
    [
      'openai',
      'call-ids',
      400,
      {
        error: {
          message:
            "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
          type: 'invalid_request_error',
          param: 'messages[1].tool_calls[0].id',
          code: 'string_above_max_length',
        },
      },
    ],
    [
      'anthropic',
      'signatures-are-own',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
        },
        request_id: 'req_refused',
      },
    ],
    [
      'gemini',
      'contents-are-there',
      400,
      {
        error: {
          code: 400,
          message: '* GenerateContentRequest.contents: contents is not specified\n',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    [
      'mistral',
      'fields-are-known',
      422,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'seed'],
            msg: 'Extra inputs are not permitted',
            input: null,
          },
        ],
      },
    ],
    [
      'minimax',
      'one-system-message',
      400,
      {
        type: 'error',
        error: {
          type: 'bad_request_error',
          message: 'invalid params, invalid chat setting (2013)',
          http_code: '400',
        },
        request_id: 'refused',
      },
    ],
    [
      'dashscope',
      'arguments-are-json',
      400,
      {
        error: {
          code: 'invalid_parameter_error',
          param: null,
          message:
            '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be in JSON format.',
          type: 'invalid_request_error',
        },
        id: 'chatcmpl-refused',
        request_id: 'refused',
      },
    ],
    [
      'moonshot',
      'thoughts-come-back',
      400,
      {
        error: {
          message:
            'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
          type: 'invalid_request_error',
        },
      },
    ],
    [
      'siliconflow',
      'at-most-64-inputs',
      413,
      { code: 20042, message: 'input batch size 65 > maximum allowed batch size 64', data: null },
    ],
  ])('%s: %s', (platform, rule, status, body) => {
    expect(answered(platform, rule)).toEqual({ status, body, rule })
  })
})
