import { z } from 'zod'
import { targetLanguages } from '#contract/translate/languages.ts'
import { translationProblems } from '#contract/translate/messages.ts'
import { MAX_RESULT_TEXTS } from '#contract/translate/translation.ts'
import type { TranslatedText, TranslationResult } from '#contract/translate/translation.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Blocks } from '#server/blocks/blocks.ts'
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
import { putTogether, takeApart } from './formats/formats.ts'
import { recallTexts, selectTerms } from './memory.ts'
import * as store from './store.ts'
import type { AskedSegment, Settings, SegmentRow, TranslationRow } from './store.ts'

export type TranslateDeps = { db: Db; blocks: Blocks; runs: Runs; catalogue: Catalogue }

const payload = z.object({ user_id: z.uuid() })
export type TranslationPayload = z.output<typeof payload>
type Execution = TaskExecution<TranslationPayload>
/** `onRefusal` is told the code with which a platform refuses texts. */
type TextsExecution = Execution & { onRefusal: (code: ErrorCode) => void }

/** Calls of a model that a task has under way at a time. */
const MAX_CALLS = 4
const TEMPERATURE = 0.3
/** Tokens of an answer for each of its request: the texts are about as long, and the JSON around them is the same. */
export const OUTPUT_RATIO = 1.2
/** What an answer may have at most, for each token and each text of the request: JSON, and languages that need more. */
const OUTPUT_PER_TOKEN = 3
const OUTPUT_PER_TEXT = 30
/** What a platform will not answer whoever asks: texts that were in one request are asked for alone. */
const REFUSALS: (ErrorCode | null)[] = ['content_rejected', 'request_rejected', 'context_length_exceeded']

/**
 * The kind of task that translates a document: takes it apart once, then has the texts that are not settled translated by runs.
 * Each stores what it translated as it is settled (`completeTranslations`), so whatever happens, the next execution asks for the rest.
 */
export const createTranslating = (deps: TranslateDeps): TaskKind<TranslationPayload> => ({
  kind: 'translation',
  payload,

  async execute(task) {
    const { user_id } = task.payload
    const translation = await store.findTranslation(deps.db, user_id, task.task_id)
    // It was deleted with its document.
    if (!translation) return
    if (translation.format === null) await takeDocumentApart(deps, translation, task.signal)
    /** Why a platform would not answer, the last time. */
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

  // Texts that are there stay, and are not asked for again; where none is, all of them are.
  onRetry: (tx, _, { task_id }) => store.reopenUntranslated(tx, task_id),

  readResult: async ({ task_id, user_id }, _, after) => {
    const translation = await store.findTranslation(deps.db, user_id, task_id)
    return translation ? readResult(deps.db, translation, after) : null
  },
})

async function takeDocumentApart(
  { db, blocks }: TranslateDeps,
  { task_id, user_id, block_id }: TranslationRow,
  signal: AbortSignal,
): Promise<void> {
  const taken = await blocks.withDocument(user_id, block_id, signal, (source, name) =>
    takeApart(source, name, signal),
  )
  await db.transaction((tx) => store.saveTakenApart(tx, task_id, taken))
}

/** Puts the translations into their document, so that what cannot be kept of it is known before it is asked for. */
async function tryFile(
  { db, blocks }: TranslateDeps,
  { task_id, user_id, block_id }: TranslationRow,
  signal: AbortSignal,
): Promise<void> {
  const texts = await store.readTranslations(db, task_id)
  const { problems } = await blocks.withDocument(user_id, block_id, signal, (source, name) =>
    putTogether(source, name, texts, 'translated', signal),
  )
  await store.saveFileProblems(db, task_id, problems.slice(0, MAX_RESULT_TEXTS))
}

const saveProgress = ({ db }: TranslateDeps, task: Execution): Promise<void> =>
  db.transaction(async (tx) => {
    const { settled: done, total } = await store.countSegments(tx, task.task_id)
    // The task first, which is what its deletion begins with, too.
    await task.saveProgress(tx, { done, total })
    await task.saveProgress(tx, { done, total, cost: await store.takeCost(tx, task.task_id) })
  })

/**
 * Has the texts translated that are not settled: what is known is taken from memory, equal texts are asked for once, and each that
 * was answered with a problem is asked for alone. False where there are none left.
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
  const known = await recallTexts(db, translation, terms, open)
  const recalled = [...known].map(([segment, text]) => ({ ...segment, translation: text, problem: null }))
  await db.transaction((tx) => store.saveSegments(tx, task_id, recalled))
  await saveProgress(deps, task)
  const left = open.filter((segment) => !known.has(segment))
  const { id, max_tokens } = requireModelAccess(catalogue, model, { type: 'chat' })
  const distinct = listDistinct(left)
  const tooLong = distinct.filter(({ text }) => estimateTokens(text, model) * OUTPUT_RATIO > max_tokens)
  await db.transaction((tx) => store.saveTexts(tx, task_id, tooLong.map(toUnanswerable)))
  const asked = distinct.filter((segment) => !tooLong.includes(segment))
  const batches = [
    ...splitIntoBatches(
      asked.filter(({ tries }) => tries === 0),
      (text) => estimateTokens(text, model),
    ),
    ...asked.filter(({ tries }) => tries > 0).map((segment) => [segment]),
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

/** A text that no answer of the model has room for is not asked for. */
const toUnanswerable = (segment: AskedSegment): AskedSegment => ({
  ...segment,
  problem: 'too_long',
  tries: store.MAX_TRIES,
})

/** The first of each text. */
const listDistinct = <T extends { text: string }>(texts: T[]): T[] =>
  [...new Map(texts.toReversed().map((each) => [each.text, each])).values()].toReversed()

/** The run that translates texts. `max_tokens`: what the model can answer. */
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
 * Has texts translated by a run, and again by one more where its platform failed. Throws AppError: not affordable, how it failed;
 * the reason of the task's signal, once what was under way has ended.
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
      // Deleted with its document, it has nobody who would want the rest, or could be given it.
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
    const asked = await store.listAskedSegments(tx, taskId, runId)
    await store.saveTexts(
      tx,
      taskId,
      asked.map((segment) => ({
        ...segment,
        problem: segment.problem ?? ('missing' as const),
        tries: segment.tries + 1,
      })),
    )
  })

/**
 * Executes all, a few at a time. The first that fails ends it, after those under way have ended: what they come to is paid. Where
 * the balance does not hold as many at a time, fewer are.
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
  // Whoever is left goes on with what others had no coins for.
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

const presentText = ({ problem, ...segment }: SegmentRow): TranslatedText => ({
  ...segment,
  problem,
  message: problem && translationProblems[problem],
})
