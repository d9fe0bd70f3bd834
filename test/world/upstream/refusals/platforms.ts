import { ANTHROPIC_COMPATIBLE_RULES, ANTHROPIC_RULES } from './anthropic-rules.ts'
import { DASHSCOPE_RULES, HUNYUAN_RULES, VOLCENGINE_RULES, ZHIPU_RULES } from './cloud-rules.ts'
import { COMMON_RULES, PLAIN_RULES } from './common-rules.ts'
import { GEMINI_RULES } from './gemini-rules.ts'
import { MISTRAL_RULES } from './mistral-rules.ts'
import { OPENAI_RULES, XAI_RULES } from './openai-rules.ts'
import {
  COHERE_EMBEDDING_RULES,
  DASHSCOPE_EMBEDDING_RULES,
  OPENAI_EMBEDDING_RULES,
  SILICONFLOW_EMBEDDING_RULES,
  VOYAGE_EMBEDDING_RULES,
  VOYAGE_RERANK_RULES,
} from './operation-rules.ts'
import type { Rule, Violation } from './rule.ts'
import { OPENROUTER_RULES, SILICONFLOW_RULES, VLLM_RULES } from './server-rules.ts'
import { DEEPSEEK_RULES, MINIMAX_RULES, MOONSHOT_RULES } from './vendor-rules.ts'

export type Platform = {
  chat: Rule[]
  embeddings?: Rule[]
  rerank?: Rule[]
  /** Renders the body of an error in the platform's shape. */
  renderError: (violation: Violation, status: number) => object
}

const renderOpenai: Platform['renderError'] = ({ message, type, param, code }) => ({
  error: { message, type: type ?? 'invalid_request_error', param: param ?? null, code: code ?? null },
})
const renderAnthropic: Platform['renderError'] = ({ message }) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
  request_id: 'req_refused',
})
const renderVllm: Platform['renderError'] = ({ message, param }, code) => ({
  error: { message, type: 'BadRequestError', param: param ?? null, code },
})
const renderDetail: Platform['renderError'] = ({ message }) => ({ detail: message })

const plain: Platform = { chat: PLAIN_RULES, renderError: renderOpenai }

/** Platforms by the names of config/models.json, and servers that people add themselves. */
export const PLATFORMS: Record<string, Platform> = {
  'openai-compatible': { chat: COMMON_RULES, renderError: renderOpenai },
  'anthropic-compatible': { chat: ANTHROPIC_COMPATIBLE_RULES, renderError: renderAnthropic },
  deepseek: { chat: DEEPSEEK_RULES, renderError: renderOpenai },
  dashscope: {
    chat: DASHSCOPE_RULES,
    embeddings: DASHSCOPE_EMBEDDING_RULES,
    renderError: ({ message, type, code }) => ({
      error: {
        code: code ?? 'invalid_parameter_error',
        param: null,
        message: `<400> InternalError.Algo.InvalidParameter: ${message}`,
        type: type ?? 'invalid_request_error',
      },
      id: 'chatcmpl-refused',
      request_id: 'refused',
    }),
  },
  zhipu: {
    chat: ZHIPU_RULES,
    renderError: ({ message, code }) => ({ error: { code: code ?? '1214', message } }),
  },
  moonshot: {
    chat: MOONSHOT_RULES,
    renderError: ({ message }) => ({ error: { message, type: 'invalid_request_error' } }),
  },
  volcengine: {
    chat: VOLCENGINE_RULES,
    renderError: ({ message, param, code }) => ({
      error: { code: code ?? 'InvalidParameter', message, param: param ?? '', type: 'BadRequest' },
    }),
  },
  hunyuan: { chat: HUNYUAN_RULES, renderError: renderOpenai },
  minimax: {
    chat: MINIMAX_RULES,
    renderError: ({ message }) => ({
      type: 'error',
      error: { type: 'bad_request_error', message: `invalid params, ${message} (2013)`, http_code: '400' },
      request_id: 'refused',
    }),
  },
  baichuan: plain,
  siliconflow: {
    chat: SILICONFLOW_RULES,
    embeddings: SILICONFLOW_EMBEDDING_RULES,
    renderError: ({ message, code }) => ({ code: Number(code ?? 20015), message, data: null }),
  },
  openai: { chat: OPENAI_RULES, embeddings: OPENAI_EMBEDDING_RULES, renderError: renderOpenai },
  anthropic: { chat: ANTHROPIC_RULES, renderError: renderAnthropic },
  gemini: {
    chat: GEMINI_RULES,
    renderError: ({ message }, code) => ({ error: { code, message, status: 'INVALID_ARGUMENT' } }),
  },
  tokenhub: plain,
  xai: {
    chat: XAI_RULES,
    renderError: ({ message }) => ({ code: 'Client specified an invalid argument', error: message }),
  },
  mistral: {
    chat: MISTRAL_RULES,
    renderError: ({ message, type, code, detail }) =>
      detail
        ? { detail }
        : {
            object: 'error',
            message,
            type: type ?? 'invalid_request_error',
            param: null,
            code: code ?? null,
          },
  },
  cohere: {
    chat: PLAIN_RULES,
    embeddings: COHERE_EMBEDDING_RULES,
    renderError: ({ message }) => ({ message }),
  },
  voyage: {
    chat: [],
    embeddings: VOYAGE_EMBEDDING_RULES,
    rerank: VOYAGE_RERANK_RULES,
    renderError: renderDetail,
  },
  jina: { chat: [], renderError: renderDetail },
  vllm: { chat: VLLM_RULES, renderError: renderVllm },
  openrouter: { chat: OPENROUTER_RULES, renderError: ({ message }, code) => ({ error: { message, code } }) },
}
