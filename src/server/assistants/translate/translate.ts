import type { Extraction, TranslationMode } from '#contract/translate/documents.ts'
import { targetLanguages } from '#contract/translate/languages.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { askAlreadyIn } from '#contract/translate/detect-language.ts'
import { AppError } from '#server/core/app-error.ts'
import { createCapacityCounter, PROCESS } from '#server/core/capacity.ts'
import { toCoinsNeeded, toExactCoins } from '#server/core/coins.ts'
import type { Visitor } from '#server/core/http.ts'
import { getFreeFunds } from '#server/ledger/ledger.ts'
import { estimateTokens, isLocalModel, requireModelAccess } from '#server/llm/llm.ts'
import type { ModelEntry } from '#server/llm/llm.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import { splitIntoBatches } from './engine/batches.ts'
import { isAlreadyIn } from './engine/language.ts'
import { buildRunRequest, createTranslating, OUTPUT_RATIO } from './execution.ts'
import type { TranslateDeps } from './execution.ts'
import { extractSegments, rebuildDocument } from '#server/formats/formats.ts'
import { recallTexts } from './memory.ts'
import { getOtherLanguage } from './other-language.ts'
import * as store from './store.ts'
import { watchTranslation } from './watching.ts'

export { createTranslateAssistant } from './assistant.ts'
export { createGlossary } from './glossary/glossary.ts'
export type { Glossary } from './glossary/glossary.ts'
export { completeTranslations } from './saving.ts'

type Owner = Pick<Visitor, 'user_id' | 'account_id' | 'budgets'>
type DocumentInput = {
  block: string
  model?: string | null | undefined
  target_lang?: TargetLanguage | undefined
  tone: string
}

type StartInput = DocumentInput & { anyway: boolean }

/**
 * Most documents that are estimated or rebuilt, or looked at before they are translated, at a time, each in a process of its own;
 * one person has one of either at a time.
 */
const MAX_DOCUMENTS = 4

export type Translate = ReturnType<typeof createTranslate>

/** Creates the translations of documents and web pages, each a task; a download puts its texts into the document. */
export function createTranslate({ tasks, ...deps }: TranslateDeps & { tasks: Tasks }) {
  const { db, blocks, runs, catalogue } = deps
  const queue = tasks.define(createTranslating(deps))

  const documents = createCapacityCounter(MAX_DOCUMENTS)
  const busy = new Set<string>()

  /** Throws AppError overloaded, too_many_calls. `key`: one document at a time is worked on for it. */
  const withDocument = async <T>(
    userId: string,
    block: string,
    signal: AbortSignal,
    work: Parameters<typeof blocks.withDocument<T>>[3],
    key = userId,
  ): Promise<T> => {
    if (busy.has(key)) throw new AppError('too_many_calls')
    const reservation = documents.open()
    reservation.reserve(1, [PROCESS])
    busy.add(key)
    try {
      return await blocks.withDocument(userId, block, signal, work)
    } finally {
      busy.delete(key)
      reservation.release()
    }
  }

  /** Returns the requested language, or else the one that the document is not in. Throws AppError not_found. */
  const resolveTarget = async (
    userId: string,
    block: string,
    requestedLang: TargetLanguage | undefined,
  ): Promise<TargetLanguage> => requestedLang ?? getOtherLanguage(await blocks.getBeginning(userId, block))

  /** Throws AppError model_not_found, model_unavailable. */
  const requireModel = (requestedModel: string | null | undefined): ModelEntry => {
    const model = requireModelAccess(catalogue, requestedModel ?? catalogue.getDefaultModel(), {
      type: 'chat',
    })
    // The demonstration model cannot translate.
    if (isLocalModel(model, catalogue.listPlatforms())) throw new AppError('model_unavailable')
    return model
  }

  /**
   * Extracts the texts of a document at once, where there is room for it; its task says what is wrong with a document. Whoever
   * starts one while its cost is still estimated is asked too whether it is in the language already.
   */
  const extractNow = async (
    userId: string,
    block: string,
    targetLang: TargetLanguage,
    signal: AbortSignal,
  ): Promise<Extraction | null> => {
    try {
      return await withDocument(
        userId,
        block,
        signal,
        (source, name) => extractSegments(source, name, signal, targetLang),
        `start ${userId}`,
      )
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  return {
    /**
     * Begins to translate a document, and returns its task, or the open one that does the same. A file that seems to be in the language
     * already is refused as `already_in_language` before anything is paid, unless it is to be translated `anyway`. Throws AppError
     * not_found, model_…; for a web page also block_reading, block_failed.
     */
    async start(
      owner: Owner,
      { block, model: requestedModel, target_lang: requestedLang, tone, anyway }: StartInput,
      signal: AbortSignal,
    ): Promise<string> {
      const { user_id } = owner
      const targetLang = await resolveTarget(user_id, block, requestedLang)
      const model = requireModel(requestedModel).id
      const { name, status, url, md5 } = await blocks.get(user_id, block)
      // A page is translated as it was read.
      if (md5 === null && url && status < 2) throw new AppError('block_reading')
      if (md5 === null && status === 3) throw new AppError('block_failed')
      const settings = { block_id: block, model, target_lang: targetLang, tone }
      const isAsked = !anyway && requestedLang !== undefined && md5 !== null
      const isOpen = isAsked && (await store.findOpenTranslation(db, user_id, settings)) !== undefined
      const extraction = isAsked && !isOpen ? await extractNow(user_id, block, targetLang, signal) : null
      if (extraction && isAlreadyIn(extraction.segments, targetLang))
        throw new AppError('already_in_language', { message: askAlreadyIn(targetLanguages[targetLang]) })
      const task = await db.transaction(async (tx) => {
        await store.lockBlockTranslations(tx, block)
        const open = await store.findOpenTranslation(tx, user_id, settings)
        if (open) return open
        const taskId = await queue.create(tx, owner, { user_id }, name)
        await store.insertTranslation(tx, { task_id: taskId, user_id, name, ...settings })
        if (extraction) await store.saveExtraction(tx, taskId, extraction)
        return taskId
      })
      queue.start()
      return task
    },

    /** Estimates the cost of translating a document. Throws AppError as `start`, overloaded, too_many_calls, document_… */
    async estimate(
      { user_id, account_id, budgets }: Owner,
      { block, model: requestedModel, target_lang: requestedLang, tone }: DocumentInput,
      signal: AbortSignal,
    ) {
      const targetLang = await resolveTarget(user_id, block, requestedLang)
      const { id: model, max_tokens } = requireModel(requestedModel)
      const { segments } = await withDocument(user_id, block, signal, (source, name) =>
        extractSegments(source, name, signal, targetLang),
      )
      const terms = await store.listTerms(db, user_id, targetLang)
      const settings = { user_id, model, target_lang: targetLang, tone }
      const distinct = [...new Map(segments.map((segment) => [segment.text, segment])).values()]
      const knownTranslations = await recallTexts(db, settings, terms, distinct)
      const knownTexts = new Set([...knownTranslations.keys()].map(({ text }) => text))
      const remainingSegments = distinct.filter((segment) => !knownTranslations.has(segment))
      const batches = splitIntoBatches(remainingSegments, (text) => estimateTokens(text, model))
      const run = { ...settings, account_id, budgets, task_id: block, max_tokens }
      const estimates = batches.map((texts) => {
        const request = buildRunRequest(run, terms, texts)
        const [, data] = request.prompt.messages
        const answer = estimateTokens(data!.content as string, model) * OUTPUT_RATIO
        return runs.estimate(request, Math.ceil(answer))
      })
      const sum = <K extends keyof (typeof estimates)[number]>(key: K): bigint =>
        estimates.reduce((total, estimate) => total + BigInt(estimate[key]), 0n)
      const missingAmount = sum('amount') - (await getFreeFunds(db, account_id))
      return {
        segments: segments.length,
        already_in_language: requestedLang !== undefined && isAlreadyIn(segments, targetLang),
        from_memory: segments.filter(({ text }) => knownTexts.has(text)).length,
        input_tokens: Number(sum('input_tokens')),
        output_tokens: Number(sum('output_tokens')),
        amount: toExactCoins(sum('amount')),
        max_amount: toExactCoins(sum('max_amount')),
        missing: missingAmount > 0n ? toCoinsNeeded(missingAmount) : 0,
      }
    },

    /**
     * Returns a document with its translations, and its name. Throws AppError not_found, task_running, task_failed where there
     * are none, overloaded, too_many_calls, document_…
     */
    async readFile(userId: string, taskId: string, mode: TranslationMode, signal: AbortSignal) {
      const { status } = await tasks.getOwn(userId, taskId)
      const translation = await store.findTranslation(db, userId, taskId)
      if (!translation) throw new AppError('not_found')
      if (status < 2) throw new AppError('task_running')
      const texts = await store.readTranslations(db, taskId)
      if (!texts.size) throw new AppError('task_failed')
      const file = await withDocument(userId, translation.block_id, signal, (source, name) =>
        rebuildDocument(source, name, texts, mode, signal, translation.target_lang),
      )
      return {
        bytes: file.bytes,
        name: file.name.replace(/(\.\w+)?$/, `.${translation.target_lang}$1`),
      }
    },

    /** Implements `Assistant.watchOther` of the channel: a document's translation has the id of its task. */
    async watch(userId: string, taskId: string) {
      if (!(await store.findTranslation(db, userId, taskId))) return null
      return (signal: AbortSignal) =>
        watchTranslation({ db, tasks }, { user_id: userId, task_id: taskId }, signal)
    },

    /** Forgets the least recently used translations. */
    sweep: () => store.trimMemory(db),
  }
}
