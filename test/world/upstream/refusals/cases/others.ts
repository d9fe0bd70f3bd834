import type { RefusalCase } from './bodies.ts'

const USER = { role: 'user', parts: [{ text: '上海天气' }] }
const CALL = { functionCall: { name: 'weather', args: {} } }
const RESPONSE = { functionResponse: { name: 'weather', response: { result: '晴' } } }
const says = (...parts: object[]) => ({ role: 'model', parts })
const asks = (...parts: object[]) => ({ role: 'user', parts })
const content = (contents: object[], more: object = {}) => ({ contents, ...more })
const declare = (...functionDeclarations: object[]) => content([USER], { tools: [{ functionDeclarations }] })

const gemini = (rule: string, refused: object, taken: object, model = 'gemini-2.5-pro'): RefusalCase => ({
  platform: 'gemini',
  path: `/v1/models/${model}:streamGenerateContent?alt=sse`,
  rule,
  refused,
  taken,
})

export const GEMINI_CASES: RefusalCase[] = [
  gemini(
    'fields-are-known',
    content([USER], { seed: 1 }),
    content([USER], { generationConfig: { seed: 1 } }),
  ),
  gemini(
    'config-fields-are-known',
    content([USER], { generationConfig: { maxTokens: 1 } }),
    content([USER], { generationConfig: { maxOutputTokens: 1 } }),
  ),
  gemini(
    'part-fields-are-known',
    content([asks({ text: '?', cache_control: {} })]),
    content([asks({ text: '?', thought: false })]),
  ),
  gemini(
    'schemas-are-openapi',
    declare({ name: 'weather', parameters: { type: 'object', properties: { a: { const: 1 } } } }),
    declare({ name: 'weather', parametersJsonSchema: { type: 'object', properties: { a: { const: 1 } } } }),
  ),
  gemini('contents-are-there', content([]), content([USER])),
  gemini('parts-are-there', content([USER, says(), USER]), content([USER, says({ text: '晴' }), USER])),
  gemini('parts-have-data', content([asks({ thought: false })]), content([asks({ text: '' })])),
  gemini(
    'calls-follow-user',
    content([USER, says({ text: '查' }), says(CALL), asks(RESPONSE)]),
    content([USER, says({ text: '查' }, CALL), asks(RESPONSE)]),
  ),
  gemini('tool-names', declare({ name: '21st' }), declare({ name: '_21st.magic:1' })),
  gemini('tool-names', declare({ name: 'n'.repeat(65) }), declare({ name: 'n'.repeat(64) })),
  gemini(
    'tool-names-differ',
    declare({ name: 'weather' }, { name: 'weather' }),
    declare({ name: 'weather' }, { name: 'time' }),
  ),
  gemini(
    'responses-as-many-as-calls',
    content([USER, says(CALL, CALL), asks(RESPONSE)]),
    content([USER, says(CALL, CALL), asks(RESPONSE, RESPONSE)]),
  ),
  gemini(
    'signatures-come-back',
    content([USER, says(CALL), asks(RESPONSE)]),
    content([USER, says({ ...CALL, thoughtSignature: 'skip_thought_signature_validator' }), asks(RESPONSE)]),
    'gemini-3.1-pro-preview',
  ),
  gemini(
    'signatures-come-back',
    content([USER, says({ ...CALL, thoughtSignature: 'E' }), asks(RESPONSE), says(CALL), asks(RESPONSE)]),
    content([USER, says(CALL), asks(RESPONSE), says({ text: '晴' }), USER]),
    'gemini-3.1-pro-preview',
  ),
  gemini(
    'at-most-5-stops',
    content([USER], { generationConfig: { stopSequences: Array.from('一二三四五六') } }),
    content([USER], { generationConfig: { stopSequences: Array.from('一二三四五') } }),
  ),
]

const texts = (length: number) => Array.from({ length }, (_, nth) => `第${nth}段`)
const embed = (platform: string, rule: string, refused: object, taken: object): RefusalCase => ({
  platform,
  path: '/v1/embeddings',
  rule,
  refused,
  taken,
})
const batch = (platform: string, max: number, model = 'm'): RefusalCase =>
  embed(platform, `at-most-${max}-inputs`, { model, input: texts(max + 1) }, { model, input: texts(max) })

export const OPERATION_CASES: RefusalCase[] = [
  batch('openai', 2048),
  batch('dashscope', 10, 'text-embedding-v4'),
  batch('siliconflow', 64),
  batch('voyage', 1000),
  batch('cohere', 96),
  embed(
    'voyage',
    'encodes-in-base64',
    { input: '?', encoding_format: 'float' },
    { input: '?', encoding_format: null },
  ),
  embed('voyage', 'fields-are-known', { input: '?', dimensions: 256 }, { input: '?', output_dimension: 256 }),
  {
    platform: 'voyage',
    path: '/v1/rerank',
    rule: 'fields-are-known',
    refused: { query: '?', documents: ['一'], top_n: 1 },
    taken: { query: '?', documents: ['一'], top_k: 1 },
  },
]
