import { z } from 'zod'
import { targetLanguages } from '#contract/translate/languages.ts'
import { translationProblems } from '#contract/translate/messages.ts'
import { MAX_RESULT_TEXTS } from '#contract/translate/translation.ts'
import type { TranslatedText, TranslationResult } from '#contract/translate/translation.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Blocks } from '#server/documents/blocks/blocks.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { DEFAULT_PREFERENCE, estimateTokens, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { ChatRunRequest, Payer, Runs } from '#server/runs/runs.ts'
import type { TaskExecution, TaskKind } from '#server/tasks/tasks.ts'
import { splitIntoBatches } from './engine/batches.ts'
import type { Text } from './engine/batches.ts'
import { buildRequest } from './engine/request.ts'
import type { Term } from './engine/request.ts'
import { extractSegments, rebuildDocument, showPlaceholders } from '#server/formats/formats.ts'
import { recallTexts, selectTerms } from './memory.ts'
import * as store from './store.ts'
import type { AskedSegment, Settings, SegmentRow, TranslationRow } from './store.ts'

export type TranslateDeps = { db: Db; blocks: Blocks; runs: Runs; catalogue: Catalogue }

const payload = z.object({ user_id: z.uuid() })
export type TranslationPayload = z.output<typeof payload>
type Execution = TaskExecution<TranslationPayload>
/** `onRefusal` gets the code with which a platform refuses texts. */
type TextsExecution = Execution & { onRefusal: (code: ErrorCode) => void }

/** Most calls of a model that a task has under way at a time. */
const MAX_CALLS = 4
const TEMPERATURE = 0.3
/** Tokens of an answer for each token of its request: the texts are about as long, and the JSON around them is the same. */
export const OUTPUT_RATIO = 1.2
/** Most tokens of an answer for each token and each text of the request: JSON counts, and some languages need more. */
const OUTPUT_PER_TOKEN = 3
const OUTPUT_PER_TEXT = 30
/** Codes of a platform that refuses the texts, for any account: each text of the request is then requested alone. */
const REFUSALS: (ErrorCode | null)[] = ['content_rejected', 'request_rejected', 'context_length_exceeded']

/**
 * The kind of task that translates a document: extracts its texts once, then has runs translate those that are not settled. Each run
 * stores its texts when it is settled (`completeTranslations`), so the next execution requests only the rest.
 */
export const createTranslating = (deps: TranslateDeps): TaskKind<TranslationPayload> => ({
  kind: 'translation',
  payload,

  async execute(task) {
    const { user_id } = task.payload
    const translation = await store.findTranslation(deps.db, user_id, task.task_id)
    // The translation was deleted with its document.
    if (!translation) return
    if (translation.format === null) await extractDocument(deps, translation, task.signal)
    /** Code of the latest refusal. */
    let refusal: ErrorCode | null = null
    const onRefusal = (code: ErrorCode): void => void (refusal = code)
    try {
      while (await translateOpenTexts(deps, translation, { ...task, onRefusal }));
      if (await store.isUntranslated(deps.db, task.task_id))
        throw new AppError(refusal ?? 'translation_empty')
      await tryFile(deps, translation, task.signal)
    } finally {
      await saveProgress(deps, task)
    }
  },

  // Translated texts stay and are not requested again; without any, all texts are requested.
  onRetry: (tx, _, { task_id }) => store.reopenUntranslated(tx, task_id),

  readResult: async ({ task_id, user_id }, _, after) => {
    const translation = await store.findTranslation(deps.db, user_id, task_id)
    return translation ? readResult(deps.db, translation, after) : null
  },
})

async function extractDocument(
  { db, blocks }: TranslateDeps,
  { task_id, user_id, block_id, target_lang }: TranslationRow,
  signal: AbortSignal,
): Promise<void> {
  const extraction = await blocks.withDocument(user_id, block_id, signal, (source, name) =>
    extractSegments(source, name, signal, target_lang),
  )
  await db.transaction((tx) => store.saveExtraction(tx, task_id, extraction))
}

/** Puts the translations into their document, so that problems with it are known before somebody downloads it. */
async function tryFile(
  { db, blocks }: TranslateDeps,
  { task_id, user_id, block_id, target_lang }: TranslationRow,
  signal: AbortSignal,
): Promise<void> {
  const texts = await store.readTranslations(db, task_id)
  const { problems } = await blocks.withDocument(user_id, block_id, signal, (source, name) =>
    rebuildDocument(source, name, texts, 'translated', signal, target_lang),
  )
  await store.saveFileProblems(db, task_id, problems.slice(0, MAX_RESULT_TEXTS))
}

const saveProgress = ({ db }: TranslateDeps, task: Execution): Promise<void> =>
  db.transaction(async (tx) => {
    const { settled: done, total } = await store.countSegments(tx, task.task_id)
    // The task's row is locked first, as by its deletion.
    await task.saveProgress(tx, { done, total })
    await task.saveProgress(tx, { done, total, cost: await store.takeCost(tx, task.task_id) })
  })

/**
 * Has the open texts translated: known ones come from memory, equal ones are requested once, and each that was answered with a
 * problem is requested alone. Returns false where none was left to request.
 */
async function translateOpenTexts(
  deps: TranslateDeps,
  translation: TranslationRow,
  task: TextsExecution,
): Promise<boolean> {
  const { db, catalogue } = deps
  const { task_id, user_id, target_lang, model } = translation
  const terms = await store.listTerms(db, user_id, target_lang)
  const open = await store.listOpenSegments(db, task_id)
  const knownTranslations = await recallTexts(db, translation, terms, open)
  const recalledSegments = [...knownTranslations].map(([segment, text]) => ({
    ...segment,
    translation: text,
    problem: null,
  }))
  await db.transaction((tx) => store.saveSegments(tx, task_id, recalledSegments))
  await saveProgress(deps, task)
  const remainingSegments = open.filter((segment) => !knownTranslations.has(segment))
  const { id, max_tokens } = requireModelAccess(catalogue, model, { type: 'chat' })
  const distinct = listDistinct(remainingSegments)
  const tooLong = distinct.filter(({ text }) => estimateTokens(text, model) * OUTPUT_RATIO > max_tokens)
  await db.transaction((tx) => store.saveTexts(tx, task_id, tooLong.map(toUnanswerable)))
  const requestedSegments = distinct.filter((segment) => !tooLong.includes(segment))
  const batches = [
    ...splitIntoBatches(
      requestedSegments.filter(({ tries }) => tries === 0),
      (text) => estimateTokens(text, model),
    ),
    ...requestedSegments.filter(({ tries }) => tries > 0).map((segment) => [segment]),
  ]
  const { account_id, budgets } = task
  const ask = (texts: Text[]): Promise<void> =>
    translateBatch(
      deps,
      task,
      texts,
      buildRunRequest({ ...translation, account_id, budgets, model: id, max_tokens }, terms, texts),
    )
  await executeAll(batches, ask, task.signal)
  return batches.length > 0
}

/** Settles a text that is too long for any answer of the model, so that it is not requested. */
const toUnanswerable = (segment: AskedSegment): AskedSegment => ({
  ...segment,
  problem: 'too_long',
  tries: store.MAX_TRIES,
})

/** Drops texts equal to an earlier one. */
const listDistinct = <T extends { text: string }>(texts: T[]): T[] =>
  [...new Map(texts.toReversed().map((each) => [each.text, each])).values()].toReversed()

/** Builds the run that translates texts. `max_tokens` is the most that the model can answer. */
export function buildRunRequest(
  {
    user_id,
    account_id,
    budgets,
    task_id,
    model,
    target_lang,
    tone,
    max_tokens,
  }: Settings & Payer & { task_id: string; max_tokens: number },
  terms: readonly Term[],
  texts: readonly Text[],
): ChatRunRequest {
  const all = texts.map(({ text }) => text).join('\n')
  const expected = estimateTokens(all, model) * OUTPUT_PER_TOKEN + texts.length * OUTPUT_PER_TEXT
  const options = { target: targetLanguages[target_lang], tone, terms: selectTerms(terms, all) }
  return {
    user_id,
    account_id,
    budgets,
    kind: 'translation',
    subject_id: task_id,
    model,
    prompt: {
      messages: buildRequest(texts, options),
      max_tokens: Math.min(max_tokens, expected),
      temperature: TEMPERATURE,
      reasoning_effort: 'none',
    },
    preference: DEFAULT_PREFERENCE,
    free: false,
  }
}

/**
 * Has a run translate texts, and a second one where its platform failed. Throws AppError: not affordable, or the failure; throws
 * the reason of the task's signal once the run under way has ended.
 */
async function translateBatch(
  deps: TranslateDeps,
  task: TextsExecution,
  texts: Text[],
  request: ChatRunRequest,
): Promise<void> {
  const { db, runs } = deps
  const { signal, task_id } = task
  const executeOnce = async (): Promise<{ code: ErrorCode | null; run_id: string }> => {
    signal.throwIfAborted()
    const run = await db.transaction(async (tx) => {
      const created = await runs.create(tx, request)
      const ns = texts.map(({ n }) => n)
      // The translation was deleted with its document: nobody can be given the rest.
      if (!(await store.assignRun(tx, task_id, created.run_id, ns))) throw new AppError('not_found')
      return created
    })
    const { result } = await run.executeTo({ type: 'buffer' }, signal)
    return { code: result.code, run_id: run.run_id }
  }
  let end = await executeOnce()
  if (end.code !== null && !REFUSALS.includes(end.code)) end = await executeOnce()
  if (end.code !== null && !REFUSALS.includes(end.code)) throw new AppError(end.code)
  if (end.code !== null) {
    task.onRefusal(end.code)
    await markRefused(db, task_id, end.run_id)
  }
  await saveProgress(deps, task)
  signal.throwIfAborted()
}

const markRefused = (db: Db, taskId: string, runId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const askedSegments = await store.listAskedSegments(tx, taskId, runId)
    await store.saveTexts(
      tx,
      taskId,
      askedSegments.map((segment) => ({
        ...segment,
        problem: segment.problem ?? ('missing' as const),
        tries: segment.tries + 1,
      })),
    )
  })

/**
 * Executes all items, a few at a time. After a failure none begins, and those under way end, since they are charged. Where the
 * balance does not suffice for as many at a time, fewer are under way.
 */
async function executeAll<T>(
  items: T[],
  execute: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...items]
  let active = 0
  let failure: { error: unknown } | null = null
  const work = async (): Promise<void> => {
    active += 1
    for (let item = queue.shift(); item !== undefined && !failure; item = queue.shift()) {
      try {
        await execute(item)
      } catch (error) {
        const isShort = error instanceof AppError && error.code === 'insufficient_balance'
        if (isShort && active > 1) queue.unshift(item)
        else failure ??= { error }
        break
      }
    }
    active -= 1
  }
  // Items left for lack of coins are taken up again once the others have ended.
  while (queue.length && !failure) {
    signal.throwIfAborted()
    await Promise.all(Array.from({ length: Math.min(MAX_CALLS, queue.length) }, work))
  }
  if (failure) throw (failure as { error: unknown }).error
}

async function readResult(db: Db, translation: TranslationRow, after: number): Promise<TranslationResult> {
  const { task_id, block_id, name, format, model, target_lang, tone, kept, file_problems } = translation
  const { total, translated, from_memory, failed } = await store.countSegments(db, task_id)
  const problems = await store.listFailedSegments(db, task_id, MAX_RESULT_TEXTS)
  const items = await store.listSegments(db, task_id, { after, size: MAX_RESULT_TEXTS + 1 })
  return {
    kind: 'translation',
    block: block_id,
    name,
    format,
    model,
    target_lang,
    tone,
    segments: total,
    translated,
    from_memory,
    failed,
    problems: problems.map(presentText),
    kept,
    file_problems: file_problems ?? [],
    items: items.slice(0, MAX_RESULT_TEXTS).map(presentText),
    has_more: items.length > MAX_RESULT_TEXTS,
  }
}

/** People read placeholders, not the tags that stand for them. */
const presentText = ({ problem, placeholders, ...segment }: SegmentRow): TranslatedText => ({
  ...segment,
  text: showPlaceholders(segment.text, placeholders),
  translation: segment.translation && showPlaceholders(segment.translation, placeholders),
  problem,
  message: problem && translationProblems[problem],
})
