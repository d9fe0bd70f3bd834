import { translationProblems } from '#contract/translate/messages.ts'
import type { TranslationProblem } from '#contract/translate/messages.ts'
import { completeAnswers } from '#server/conversations/conversations.ts'
import type { CompletionHook } from '#server/runs/runs.ts'
import { checkTranslation } from './engine/checks.ts'
import { parseResponse } from './engine/request.ts'
import type { Term } from './engine/request.ts'
import { hashText, selectTerms } from './memory.ts'
import * as store from './store.ts'
import type { AskedSegment, Settings } from './store.ts'

/**
 * Completion hook of runs of kind `translation`: stores their translations in the transaction that charges for them, so that what
 * is stored is paid once, and what is paid is stored. Some runs answered in the channel `fanyi`, the others translated documents.
 */
export const completeTranslations: CompletionHook = async (tx, settled) => {
  await completeAnswers(tx, settled)
  await saveTexts(tx, settled)
}

/** Stores texts of documents; of a stopped run only the whole ones. */
const saveTexts: CompletionHook = async (tx, settled) => {
  const memoryRows: store.MemoryRow[] = []
  // All transactions take the same order, as each locks the translations that it writes to.
  const ordered = settled.toSorted((a, b) => (a.subject_id < b.subject_id ? -1 : 1))
  for (const { run_id, subject_id: taskId, result, charged } of ordered) {
    const translation = await store.addCost(tx, taskId, charged)
    const { state, text } = result
    if (!translation || (state !== 'done' && state !== 'cancelled')) continue
    const askedSegments = await store.listAskedSegments(tx, taskId, run_id)
    const terms = await store.listTerms(tx, translation.user_id, translation.target_lang)
    const answers = parseResponse(text)
    const answeredSegments =
      state === 'done' ? askedSegments : askedSegments.filter(({ n }) => answers.has(n))
    const judgedSegments = answeredSegments.map((segment) =>
      judge(segment, answers.get(segment.n), translation, terms),
    )
    await store.saveTexts(tx, taskId, judgedSegments)
    for (const { text: source, translation: translated, problem } of judgedSegments) {
      if (problem !== null || translated === null) continue
      const { user_id } = translation
      memoryRows.push({
        user_id,
        hash: hashText(translation, selectTerms(terms, source), source),
        translation: translated,
      })
    }
  }
  await store.saveMemory(tx, memoryRows)
}

const ORDER = Object.keys(translationProblems) as TranslationProblem[]
/** Ranks the worst problem first, and no problem last. */
const rank = (problem: TranslationProblem | null): number =>
  problem === null ? ORDER.length : ORDER.indexOf(problem)

/** Problems with which a translation is not used: a program that reads its placeholders could fail. */
const UNUSABLE = new Set<TranslationProblem>(['missing', 'untranslated', 'placeholders'])

/** Returns a text with this answer, or with the earlier one where that is better. */
function judge(
  segment: AskedSegment,
  answer: string | undefined,
  { target_lang }: Settings,
  terms: readonly Term[],
): AskedSegment {
  const tries = segment.tries + 1
  const [problem = null] = checkTranslation(segment.text, answer, {
    target_lang,
    terms: selectTerms(terms, segment.text),
    placeholders: segment.placeholders,
  })
  // The source stays where there is no translation that could be used.
  const translation = problem !== null && UNUSABLE.has(problem) ? null : (answer ?? null)
  if (segment.problem !== null && rank(problem) < rank(segment.problem)) return { ...segment, tries }
  return { ...segment, translation, problem, tries }
}
