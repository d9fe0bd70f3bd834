import type { ErrorCode } from '#contract/errors.ts'
import type { ModelCard } from '#contract/models.ts'
import type { BodyName } from './bodies.ts'
import type { ErrorShape } from './errors.ts'

// The calls of the API for programs. Routes, the OpenAPI document, the API reference and the guide all come from here.
// This file has no schema, so that the browser can read it: bodies are named, see bodies.ts.

/** The API that a call follows; `operation`: OpenAI's embeddings, images etc.; `agent`: ours, of agents; `plain`: our reads. */
type GatewayProtocol =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-completions'
  | 'anthropic'
  | 'operation'
  | 'agent'
  | 'plain'

export type GatewayCall = {
  /** Two Chinese lines for the reference and the guide: a title, and the purpose of the call. */
  summary: string
  description: string
  protocol: GatewayProtocol
  /** Name of the schema of its body: JSON, or with `multipart` a form with one `file`. */
  body?: BodyName
  multipart?: true
  /** Query parameters, with a Chinese description. */
  query?: Readonly<Record<string, { type: 'integer' | 'string'; description: string }>>
  /** The type of model that serves it. */
  model_type?: ModelCard['type']
  /** It runs a model: it is charged, and obeys Idempotency-Key. */
  runs?: true
  /** `stream`: JSON, or an event stream where the body says `stream: true`; `bytes`: audio. */
  response: 'json' | 'stream' | 'bytes'
  /** Errors beyond those that follow from the above. */
  errors?: readonly ErrorCode[]
  /** Contents of the guide's command: a body, or fields of a form; `options` are further options of curl. */
  example?: { body?: object; form?: readonly string[]; options?: string }
}

const QUESTION = '用一句话介绍你自己'
const SENTENCE = '问渠那得清如许？为有源头活水来。'
const messages = [{ role: 'user', content: QUESTION }]
const rerank = {
  model: 'bge-reranker-v2-m3',
  query: '中国的首都是哪里？',
  documents: ['北京是中国的首都。', '苹果是一种水果。'],
  top_n: 1,
}

/**
 * Every call by method and path below /api/v1 (one that begins with another version: below /api), in the order in which people
 * need them. `{name}` is a path parameter.
 */
export const gatewayCalls = {
  'POST /chat/completions': {
    summary: '对话',
    description: 'OpenAI 的对话接口，支持图片输入、工具调用与结构化输出。',
    protocol: 'openai-chat',
    body: 'completion',
    model_type: 'chat',
    runs: true,
    response: 'stream',
    errors: ['context_length_exceeded', 'turn_running', 'tool_unavailable'],
    example: { body: { model: 'deepseek-chat', messages } },
  },
  'POST /messages': {
    summary: '对话（Anthropic）',
    description: 'Anthropic 的 Messages 接口，所有对话模型都可以用它调用，不限于 Claude。',
    protocol: 'anthropic',
    body: 'message',
    model_type: 'chat',
    runs: true,
    response: 'stream',
    errors: ['context_length_exceeded'],
    example: { body: { model: 'deepseek-chat', max_tokens: 1024, messages } },
  },
  'POST /messages/count_tokens': {
    summary: '计算 Token 数（Anthropic）',
    description: '估算一次 /messages 请求的输入 Token 数，不调用模型，不收费。',
    protocol: 'anthropic',
    body: 'tokenCount',
    model_type: 'chat',
    response: 'json',
    example: { body: { model: 'deepseek-chat', messages } },
  },
  'POST /responses': {
    summary: '对话（Responses）',
    description:
      'OpenAI 的 Responses 接口。默认保存 30 天，之后的请求可以用 previous_response_id 接着说；store 为 false 时什么都不保存。',
    protocol: 'openai-responses',
    body: 'response',
    model_type: 'chat',
    runs: true,
    response: 'stream',
    errors: ['context_length_exceeded'],
    example: { body: { model: 'deepseek-chat', input: QUESTION } },
  },
  'GET /responses/{id}': {
    summary: '取回 Responses 的应答',
    description: '同一个密钥保存的应答；以 background 方式提问之后，也用它取结果。',
    protocol: 'openai-responses',
    response: 'json',
    errors: ['not_found'],
  },
  'DELETE /responses/{id}': {
    summary: '删除 Responses 的应答',
    description: '删除保存的输入与输出；还在进行的会先停止。接着它的应答之后不能再继续。',
    protocol: 'openai-responses',
    response: 'json',
    errors: ['not_found'],
  },
  'GET /responses/{id}/input_items': {
    summary: 'Responses 的输入',
    description: '一次请求自己带来的输入，不含之前应答的内容。',
    protocol: 'openai-responses',
    query: {
      limit: { type: 'integer', description: '最多几个，默认 20，最多 100' },
      order: { type: 'string', description: 'asc 或 desc（默认）' },
      after: { type: 'string', description: '从这个编号之后开始' },
    },
    response: 'json',
    errors: ['bad_request', 'not_found'],
  },
  'POST /responses/{id}/cancel': {
    summary: '取消 Responses 的后台应答',
    description: '停止一个还在后台进行的应答；已产生的内容照常收费。',
    protocol: 'openai-responses',
    response: 'json',
    errors: ['bad_request', 'not_found'],
  },
  'POST /completions': {
    summary: '补全（旧版）',
    description:
      'OpenAI 的旧版补全接口：prompt 是一段文字，作为一条消息交给对话模型。新的程序请用 /chat/completions。',
    protocol: 'openai-completions',
    body: 'textCompletion',
    model_type: 'chat',
    runs: true,
    response: 'stream',
    errors: ['context_length_exceeded', 'tool_unavailable'],
    example: { body: { model: 'deepseek-chat', prompt: QUESTION } },
  },
  'POST /embeddings': {
    summary: '向量',
    description: '把文字变成向量；input 可以是一段文字，也可以是一组。',
    protocol: 'operation',
    body: 'embedding',
    model_type: 'embedding',
    runs: true,
    response: 'json',
    errors: ['context_length_exceeded', 'answer_not_kept'],
    example: { body: { model: 'text-embedding-v4', input: [SENTENCE] } },
  },
  'POST /rerank': {
    summary: '重排',
    description: '按与问题的相关程度给文档排序，应答的 results 里有序号与得分。',
    protocol: 'operation',
    body: 'rerank',
    model_type: 'rerank',
    runs: true,
    response: 'json',
    errors: ['context_length_exceeded', 'answer_not_kept'],
    example: { body: rerank },
  },
  'POST /v2/rerank': {
    summary: '重排（Cohere）',
    description: 'Cohere 的 v2 重排接口，给 Cohere 的 SDK 与 LlamaIndex 用：它们的地址不带版本号。',
    protocol: 'operation',
    body: 'rerank',
    model_type: 'rerank',
    runs: true,
    response: 'json',
    errors: ['context_length_exceeded', 'answer_not_kept'],
    example: { body: rerank },
  },
  'POST /images/generations': {
    summary: '生成图片',
    description: '应答的 data 里是图片的地址（url）或内容（b64_json）。',
    protocol: 'operation',
    body: 'image',
    model_type: 'image',
    runs: true,
    response: 'json',
    errors: ['answer_not_kept'],
    example: {
      body: { model: 'doubao-seedream-4.5', prompt: '一条清澈的渠，水墨画', n: 1 },
    },
  },
  'POST /audio/speech': {
    summary: '语音合成',
    description: '应答体就是音频。',
    protocol: 'operation',
    body: 'speech',
    model_type: 'tts',
    runs: true,
    response: 'bytes',
    errors: ['answer_not_kept'],
    example: {
      body: { model: 'cosyvoice2-0.5b', input: SENTENCE },
      options: '-o speech.mp3',
    },
  },
  'POST /audio/transcriptions': {
    summary: '语音识别',
    description: '以表单上传音频文件，应答里是文字。',
    protocol: 'operation',
    body: 'transcription',
    multipart: true,
    model_type: 'asr',
    runs: true,
    response: 'json',
    errors: ['audio_unreadable', 'answer_not_kept'],
    example: { form: ['model=sensevoice-small', 'file=@speech.mp3'] },
  },
  'POST /agent/chat': {
    summary: '智能体问答',
    description:
      '向自己的或公开的智能体提问，回答只依据它的知识库。应答是 message_id、content、reference（引用的段落，编号 n 与回答里的 [n] 对应）与 usage；stream 为 true 时是 OpenAI 格式的数据块，[DONE] 之前的最后一块带 message_id、reference 与 usage。传 sess_id 就会记住与这个智能体的对话。',
    protocol: 'agent',
    body: 'agentChat',
    model_type: 'chat',
    runs: true,
    response: 'stream',
    errors: ['agent_not_found', 'context_length_exceeded', 'turn_running'],
    example: { body: { uuid: '00000000-0000-4000-8000-000000000000', question: '你能做什么？' } },
  },
  'GET /models': {
    summary: '模型列表',
    description:
      '这个密钥可以使用的模型，带价格、能力与上下文长度。按页码分页，或像 Anthropic 那样用 limit、after_id、before_id。',
    protocol: 'plain',
    query: {
      page: { type: 'integer', description: '页码，从 1 开始，默认 1' },
      page_size: { type: 'integer', description: '每页数量，默认与最多都是 1000' },
      limit: { type: 'integer', description: '最多几个，默认与最多都是 1000' },
      after_id: { type: 'string', description: '从这个模型之后开始' },
      before_id: { type: 'string', description: '到这个模型之前为止' },
    },
    response: 'json',
    errors: ['bad_request'],
  },
  'GET /models/{model}': {
    summary: '模型',
    description: '列表里的一个模型。',
    protocol: 'plain',
    response: 'json',
    errors: ['model_not_found', 'model_not_allowed'],
  },
  'GET /chat/{id}': {
    summary: '后台回答的结果',
    description: '以 background 方式提问之后，用返回的 id 取结果。',
    protocol: 'plain',
    response: 'json',
    errors: ['not_found'],
  },
  'POST /chat/{id}/cancel': {
    summary: '取消后台回答',
    description: '停止一个还在后台进行的回答，应答是它停止后的状态；已产生的内容照常收费。',
    protocol: 'plain',
    response: 'json',
    errors: ['not_found'],
  },
} as const satisfies Record<`${'GET' | 'POST' | 'DELETE'} /${string}`, GatewayCall>

export type GatewayCallKey = keyof typeof gatewayCalls

/** All calls as a list; `path` is as in the key, `url` the whole path. */
export const gatewayCallList = Object.entries<GatewayCall>(gatewayCalls).map(([key, call]) => {
  const [method = '', path = ''] = key.split(' ')
  const url = /^\/v\d\//.test(path) ? `/api${path}` : `/api/v1${path}`
  return { key: key as GatewayCallKey, method, path, url, call }
})

export const getErrorShape = ({ protocol }: GatewayCall): ErrorShape =>
  protocol === 'anthropic' ? 'anthropic' : 'openai'
