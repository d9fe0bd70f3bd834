import { z } from 'zod'
import { tokenCounts } from '#contract/models.ts'
import { modelId, sessionId, turnId } from '#contract/ids/ids.ts'
import type { Calls } from '../call.ts'
import { chatMessage } from '../chat.ts'
import { MAX_PROMPT_CHARS, MAX_TONE_CHARS } from '#contract/questions/questions.ts'
import { targetLanguage } from './target-language.ts'

const settings = z.object({
  /** The product's default model when absent. */
  model: modelId.nullish(),
  /** When absent, English for Chinese and Chinese for all others. */
  target_lang: targetLanguage.optional(),
  tone: z.string().trim().max(MAX_TONE_CHARS).default('').describe('语气，用自己的话说；空为与原文相同'),
})
/** The uploaded file or the web page. */
const documentFields = settings.extend({ block: z.uuid().describe('文件或网页的编号') })

const modelErrors = ['not_found', 'model_not_found', 'model_unavailable', 'rate_limited'] as const

export const translateCalls = {
  'POST /api/translate': {
    summary: '翻译文字，或开始在后台翻译文件、链接；译文用 GET /api/chat/completions（chatbot=fanyi）接收',
    auth: 'user',
    body: settings.extend({
      /** A text to translate, or the file or web page. */
      prompt: z.string().max(MAX_PROMPT_CHARS).default('').describe('要翻译的文字'),
      block: z.uuid().nullish().describe('文件或网页的编号'),
      /** Session of this channel that keeps a text; the current one when absent. */
      sess_id: sessionId.nullish(),
      biz_type: z
        .enum(['text', 'file', 'link'])
        .default('text')
        .describe('翻译的内容：text 文字、file 文件、link 网页'),
      anyway: z
        .boolean()
        .default(false)
        .describe('文件看起来已经是目标语言时是否仍然翻译；不是则以 already_in_language 询问，不收费'),
      fresh: z.boolean().default(false).describe('是否不用翻译记忆里的译文'),
    }),
    response: z.object({
      message: z.string().describe('结果的中文说明'),
      /** The turn of a text or the task of a document, to attach to: its stream sends the translation so far. */
      chat_id: turnId,
      task: z.uuid().nullable().describe('翻译文件或网页的任务的编号；文字则为空'),
      from_memory: z.boolean().describe('是否全部来自翻译记忆、不收费'),
    }),
    errors: [
      ...modelErrors,
      'empty_prompt',
      'text_too_long',
      'block_required',
      'block_reading',
      'block_failed',
      'already_in_language',
      'turn_running',
      'insufficient_balance',
    ],
  },
  'PATCH /api/translate/{chat_id}': {
    summary: '修改一次文字翻译：自己改过的译文（以后同样的段落直接使用），或者是否喜欢',
    auth: 'user',
    params: z.object({ chat_id: turnId }),
    body: z.object({
      text: z.string().trim().min(1).max(MAX_PROMPT_CHARS).optional().describe('自己改过的全部译文'),
      liked: z.boolean().optional().describe('是否赞过'),
    }),
    response: z.object({ chat_message: chatMessage.describe('翻译的消息') }),
    errors: ['not_found', 'turn_running', 'rate_limited'],
  },
  'POST /api/translate/estimate': {
    summary: '估算翻译一个文件或链接的费用',
    auth: 'user',
    body: documentFields,
    response: z.object({
      segments: z.int().describe('文字段数'),
      already_in_language: z.boolean().describe('文件看起来是否已经是目标语言'),
      from_memory: z.int().describe('已有译文、不收费的段数'),
      ...tokenCounts,
      amount: z.number().describe('估算的费用，单位金币'),
      max_amount: z.number().describe('最多的费用，单位金币：翻译时预留'),
      missing: z.number().describe('还差的金币数；够则为 0'),
    }),
    errors: [...modelErrors, 'block_reading', 'block_failed', 'document_unsupported', 'document_empty'],
  },
  'GET /api/task/{id}/file': {
    summary: '下载译文：停止或失败的任务给出已经翻译的部分',
    auth: 'user',
    params: z.object({ id: z.uuid().describe('任务的编号') }),
    query: z.object({
      mode: z
        .enum(['translated', 'bilingual'])
        .default('translated')
        .describe('translated 只有译文、bilingual 双语对照'),
    }),
    response: 'file',
    errors: ['not_found', 'task_running', 'task_failed', 'rate_limited'],
  },
} as const satisfies Calls
