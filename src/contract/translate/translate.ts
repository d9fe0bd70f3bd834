import { z } from 'zod'
import type { Calls } from '../call.ts'
import { chatMessage } from '../chat.ts'
import { MAX_PROMPT_CHARS, MAX_TONE_CHARS } from '#contract/questions/questions.ts'
import { targetLanguage } from './target-language.ts'

const settings = z.object({
  /** The product's default model when absent. */
  model: z.string().min(1).max(120).nullish(),
  /** When absent, English for Chinese and Chinese for all others. */
  target_lang: targetLanguage.optional(),
  /** The tone, in the person's own words; like the source when empty. */
  tone: z.string().trim().max(MAX_TONE_CHARS).default(''),
})
/** The uploaded file or the web page. */
const documentFields = settings.extend({ block: z.uuid() })

const modelErrors = ['not_found', 'model_not_found', 'model_unavailable', 'rate_limited'] as const

export const translateCalls = {
  'POST /api/translate': {
    summary: '翻译文字，或开始在后台翻译文件、链接；译文用 GET /api/chat/completions（chatbot=fanyi）接收',
    auth: 'user',
    body: settings.extend({
      /** A text to translate, or the file or web page. */
      prompt: z.string().max(MAX_PROMPT_CHARS).default(''),
      block: z.uuid().nullish(),
      /** Session of this channel that keeps a text; the current one when absent. */
      sess_id: z.uuid().nullish(),
      biz_type: z.enum(['text', 'file', 'link']).default('text'),
      /** Has the model translate a text even if the translation memory has it. */
      fresh: z.boolean().default(false),
    }),
    response: z.object({
      message: z.string(),
      /** The turn of a text or the task of a document, to attach to: its stream sends the translation so far. */
      chat_id: z.uuid(),
      /** Task of a document. */
      task: z.uuid().nullable(),
      /** The whole text is in the translation memory, so that it costs nothing. */
      from_memory: z.boolean(),
    }),
    errors: [
      ...modelErrors,
      'empty_prompt',
      'text_too_long',
      'block_required',
      'block_reading',
      'block_failed',
      'turn_running',
      'insufficient_balance',
    ],
  },
  'PATCH /api/translate/{chat_id}': {
    summary: '修改一次文字翻译：自己改过的译文（以后同样的段落直接使用），或者是否喜欢',
    auth: 'user',
    params: z.object({ chat_id: z.uuid() }),
    body: z.object({
      /** The whole translation as the person wants it. */
      text: z.string().trim().min(1).max(MAX_PROMPT_CHARS).optional(),
      liked: z.boolean().optional().describe('是否赞过'),
    }),
    response: z.object({ chat_message: chatMessage }),
    errors: ['not_found', 'turn_running', 'rate_limited'],
  },
  'POST /api/translate/estimate': {
    summary: '估算翻译一个文件或链接的费用',
    auth: 'user',
    body: documentFields,
    response: z.object({
      /** Texts, and those of them in the translation memory, which cost nothing. */
      segments: z.int().describe('文字段数'),
      from_memory: z.int().describe('已有译文、不收费的段数'),
      input_tokens: z.int(),
      output_tokens: z.int(),
      /** Coins: the expected amount, and the most that is held while it runs. */
      amount: z.number(),
      max_amount: z.number(),
      /** Coins that the account lacks for `amount`; 0 where it has enough. */
      missing: z.number(),
    }),
    errors: [...modelErrors, 'block_reading', 'block_failed', 'document_unsupported', 'document_empty'],
  },
  'GET /api/task/{id}/file': {
    summary: '下载译文：停止或失败的任务给出已经翻译的部分',
    auth: 'user',
    params: z.object({ id: z.uuid() }),
    query: z.object({ mode: z.enum(['translated', 'bilingual']).default('translated') }),
    response: 'file',
    errors: ['not_found', 'task_running', 'task_failed', 'rate_limited'],
  },
} as const satisfies Calls
