import { describe, expect, test } from 'vitest'
import { ErrorResponseReader } from '#server/llm/providers/error-response.ts'

/** Returns the error code for a response of this status and body. */
function getCode(status: number, body: string | object): string {
  const reader = new ErrorResponseReader({ status, headers: {} })
  reader.onData(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  return reader.toError().code
}
const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

describe('a prompt that is too long', () => {
  test.each<[string, number, string | object]>([
    [
      'OpenAI',
      400,
      error(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        { code: 'context_length_exceeded' },
      ),
    ],
    ['Anthropic', 400, error('prompt is too long: 200001 tokens > 199999 maximum')],
    [
      'Google',
      400,
      error('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    ],
    [
      'xAI',
      400,
      {
        code: 'invalid-argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    ['Cohere', 400, { message: 'too many tokens: size limit exceeded by 1321 tokens' }],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message: 'Prompt contains 70000 tokens, too large for model with 32768 maximum context length',
        code: 3051,
      },
    ],
    [
      'DeepSeek',
      400,
      error(
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (139000 in the messages, 1000 in the completion).",
      ),
    ],
    [
      'Moonshot',
      400,
      error('Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)'),
    ],
    ['智谱', 400, { error: { code: '1261', message: 'Prompt 超长' } }],
    [
      '百炼',
      400,
      error('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]'),
    ],
    ['MiniMax', 400, error('invalid params, context window exceeds limit (2013)')],
    ['混元', 400, error('输入文本超长', { code: 'InvalidParameterValue.TextLengthExceeded' })],
    [
      '火山引擎',
      400,
      error('Total tokens of image and text exceed max message tokens', {
        code: 'InvalidParameter.TotalTokens',
      }),
    ],
    ['百川', 400, error('上下文长度超出限制')],
    [
      '硅基流动',
      400,
      { code: 20015, message: 'length of prompt_tokens (40000) must be less than max_seq_len (32768)' },
    ],
    [
      'vLLM',
      400,
      error('The decoder prompt (length 40000) is longer than the maximum model length of 32768.'),
    ],
    [
      'SGLang',
      400,
      {
        object: 'error',
        message: "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
      },
    ],
    [
      'llama.cpp',
      400,
      error('the request exceeds the available context size', { type: 'exceed_context_size_error' }),
    ],
    [
      'LM Studio',
      400,
      error(
        'Trying to keep the first 40000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      ),
    ],
    ['Ollama', 400, error('prompt too long; exceeded max context length by 9 tokens')],
    ['Groq', 400, error('Please reduce the length of the messages or completion.')],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
    [
      'Text Generation Inference',
      422,
      {
        error: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000 `inputs` tokens',
        error_type: 'validation',
      },
    ],
    ['a server that passes on', 400, { detail: { error: { message: 'prompt is too long' } } }],
  ])('in the words of %s', (_, status, body) => {
    expect(getCode(status, body)).toBe('context_length_exceeded')
  })

  test.each([
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 16384. This model's maximum context length is 32768 tokens and your request has 20606 input tokens (16384 > 32768 - 20606).",
    ],
    [
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 36990 tokens (20606 of text input, 16384 in the output).",
    ],
    [
      "This model's maximum context length is 32768 tokens. However, you requested 36990 tokens (20606 in the messages, 16384 in the completion).",
    ],
  ])('is not one whose answer would be: %s', (message) => {
    expect(getCode(400, error(message))).toBe('request_rejected')
  })
})

describe('an account that is empty or locked is the house’s', () => {
  test.each<[string, number, object]>([
    ['OpenAI', 429, error('You exceeded your current quota, please check your plan and billing details.')],
    [
      'OpenAI, not active',
      429,
      error('Your account is not active, please check your billing details on our website.', {
        code: 'billing_not_active',
      }),
    ],
    [
      'Moonshot',
      429,
      error('Your account org-x <ak-y> is suspended, please check your plan and billing details', {
        type: 'exceeded_current_quota_error',
      }),
    ],
    ['智谱', 429, { error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } }],
    ['智谱, locked', 401, { error: { code: '1112', message: '您的账户已被锁定，请联系客服解锁。' } }],
    [
      '百炼',
      400,
      { code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.' },
    ],
    [
      '火山引擎',
      403,
      error('The request failed because your account has an overdue balance.', {
        code: 'AccountOverdueError',
      }),
    ],
    ['硅基流动', 403, { code: 30001, message: 'Sorry, your account balance is insufficient' }],
    [
      'MiniMax',
      400,
      error('insufficient balance (1008)', {
        type: 'insufficient_balance_error',
        code: 'insufficient_balance',
      }),
    ],
    ['混元', 400, error('资源包余量已用尽', { code: 'FailedOperation.ResourcePackExhausted' })],
    ['Anthropic', 400, error('This organization has been disabled.')],
    ['Google', 400, error('API key expired. Please renew the API key.')],
    ['xAI', 429, { code: 'x', error: 'Your team 7e has used all available credits' }],
    ['OpenRouter', 402, error('Insufficient credits')],
  ])('%s', (_, status, body) => {
    expect(getCode(status, body)).toBe('upstream_rejected')
  })
})
