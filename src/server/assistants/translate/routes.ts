import { FANYI } from '#contract/chatbot.ts'
import type { glossaryCalls } from '#contract/translate/glossary.ts'
import { findTargetLanguage, toQuickAction } from '#contract/translate/languages.ts'
import { translateMessages } from '#contract/translate/messages.ts'
import type { translateCalls } from '#contract/translate/translate.ts'
import type { Conversations } from '#server/conversations/conversations.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Handlers } from '#server/core/http.ts'
import { parseIdempotencyKey } from '#server/core/idempotency.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { getOtherLanguage } from './other-language.ts'
import { rememberOwnText } from './text-memory.ts'
import type { Glossary, Translate } from './translate.ts'

/** Limits per user, far above what a person needs; estimates extract the texts of a document, downloads rebuild it. */
const START_LIMIT = { points: 60, seconds: 60 }
const ESTIMATE_LIMIT = { points: 30, seconds: 60 }
const DOWNLOAD_LIMIT = { points: 30, seconds: 60 }
/** Limit per user for changes of terms and of translated texts. */
const CHANGE_LIMIT = { points: 120, seconds: 60 }

export function translateRoutes(
  translate: Translate,
  conversations: Conversations,
): Handlers<typeof translateCalls> {
  const limitStarts = createRateLimit(START_LIMIT)
  const limitChanges = createRateLimit(CHANGE_LIMIT)
  const limitEstimates = createRateLimit(ESTIMATE_LIMIT)
  const limitDownloads = createRateLimit(DOWNLOAD_LIMIT)
  return {
    'POST /api/translate': async ({ body }, { visitor, client, request }) => {
      await limitStarts(visitor.user_id)
      const { prompt, block, sess_id, biz_type, target_lang, tone, model, fresh, anyway } = body
      // A request with a document and no text means the document.
      if (biz_type !== 'text' || (block && !prompt.trim())) {
        if (!block) throw new AppError('block_required')
        const input = { block, model, target_lang, tone, anyway }
        const task = await translate.start(visitor, input, request.signal)
        return { message: translateMessages.task_started, chat_id: task, task, from_memory: false }
      }
      const target = target_lang ?? getOtherLanguage(prompt)
      const idempotency = parseIdempotencyKey(request, body)
      const { chat_messages } = await conversations.createTurn(
        { visitor, client, idempotency },
        {
          chatbot: FANYI,
          sess_id,
          prompt,
          model,
          target_lang: target,
          tone,
          fresh,
          quick_action: toQuickAction(target),
          tools: [],
          regen: false,
          edit: false,
          continue: false,
          related_prompts: false,
        },
      )
      const { chat_id, status, figures } = chat_messages[0]!
      // An answer that is done without a charge was known before.
      const fromMemory = status === 'done' && figures === null
      const message = fromMemory ? translateMessages.from_memory : translateMessages.translating
      return { message, chat_id, task: null, from_memory: fromMemory }
    },

    'PATCH /api/translate/{chat_id}': async ({ params, body }, { visitor: { user_id } }) => {
      await limitChanges(user_id)
      const ref = { chatbot: FANYI, chat_id: params.chat_id }
      const { text } = body
      return {
        chat_message: await conversations.changeAnswer(user_id, ref, body, async (tx, before) => {
          const { text: source, tone, quick_action } = before.question
          const targetLang = findTargetLanguage(quick_action)
          if (text === undefined || !targetLang) return
          const settings = { user_id, target_lang: targetLang, tone: tone ?? '' }
          await rememberOwnText(tx, settings, { source, before: before.answer.text, after: text })
        }),
      }
    },

    'POST /api/translate/estimate': async ({ body }, { visitor, request }) => {
      await limitEstimates(visitor.user_id)
      return translate.estimate(visitor, body, request.signal)
    },

    'GET /api/task/{id}/file': async ({ params, query }, { visitor, request }) => {
      await limitDownloads(visitor.user_id)
      const { bytes, name } = await translate.readFile(visitor.user_id, params.id, query.mode, request.signal)
      const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
      return new Response(Uint8Array.from(bytes), {
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': disposition },
      })
    },
  }
}

export function glossaryRoutes(glossary: Glossary): Handlers<typeof glossaryCalls> {
  const limitChanges = createRateLimit(CHANGE_LIMIT)
  return {
    'GET /api/glossary': async ({ query }, { visitor }) => ({
      items: await glossary.list(visitor.user_id, query),
    }),

    'POST /api/glossary': async ({ body }, { visitor }) => {
      await limitChanges(visitor.user_id)
      return { data: await glossary.add(visitor.user_id, body) }
    },

    'PUT /api/glossary/{id}': async ({ params, body }, { visitor }) => {
      await limitChanges(visitor.user_id)
      return { data: await glossary.change(visitor.user_id, params.id, body) }
    },

    'DELETE /api/glossary/{id}': async ({ params, query }, { visitor }) => {
      await glossary.remove(visitor.user_id, params.id, query.scope)
      return undefined
    },

    'POST /api/glossary/import': async ({ body }, { visitor }) => {
      await limitChanges(visitor.user_id)
      return glossary.import(visitor.user_id, body)
    },
  }
}
